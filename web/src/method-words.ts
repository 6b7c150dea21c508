import Coins from 'lucide:coins'
import Smartphone from 'lucide:smartphone'
import Wallet from 'lucide:wallet'
import type { PaymentMethod } from '#contract/order.ts'
import { feeCentsOf } from '#pricing'
import { claims } from './claims.ts'
import { usd } from './lib/format.ts'
import type { Icon } from './lib/icon.tsx'

interface MethodWords {
  readonly icon: Icon
  readonly name: string
  /** The name inside a sentence. */
  readonly inText: string
  /** Below the name in the choice of methods. */
  readonly text: string
  /** After "by" in the landing page's questions. */
  readonly inQuestions: string
}

const confirmed = `, confirmed in ${claims.cryptoConfirmation}`

/** The words for each payment method, in the order in which they are offered. */
export const methodWords: Readonly<Record<PaymentMethod, MethodWords>> = {
  paypal: {
    icon: Wallet,
    name: 'PayPal',
    inText: 'PayPal',
    text: `A fee of ${feeOf('paypal')} is included`,
    inQuestions: `PayPal (a fee of ${feeOf('paypal')} is added)`,
  },
  crypto: {
    icon: Coins,
    name: 'Crypto',
    inText: 'crypto',
    text: `Litecoin${confirmed}`,
    inQuestions: `cryptocurrency (Litecoin${confirmed})`,
  },
  upi: {
    icon: Smartphone,
    name: 'UPI',
    inText: 'UPI',
    text: 'From an Indian bank account, in rupees',
    inQuestions: 'UPI in rupees',
  },
}

export const methods = Object.keys(methodWords) as readonly PaymentMethod[]

export const methodNames = Object.fromEntries(methods.map((method) => [method, methodWords[method].name])) as Record<
  PaymentMethod,
  string
>

export interface FailureWords {
  readonly title: string
  readonly text: string
}

const ifSent = 'If you have sent money for it, please write to support.'

/** What the buyer reads of a failed payment, by its reason. */
export function failureWords(method: PaymentMethod | null | undefined, reason = 'failed'): FailureWords {
  const name = method ? methodNames[method] : ''
  const words: Readonly<Record<string, FailureWords>> = {
    cancelled: { title: 'Payment Cancelled', text: `Your ${name} payment was cancelled. Please try again.` },
    declined: { title: 'Payment Declined', text: `${name} declined this payment. No money was taken.` },
    expired: { title: 'Payment expired', text: `The payment was not made in time. ${ifSent}` },
    refunded: { title: 'Payment refunded', text: 'The money of this payment went back. Please pay again.' },
  }
  const text = method === 'upi' ? 'UPI payment failed.' : 'The payment was not successful.'
  return words[reason] ?? { title: 'Payment Failed', text: `${text} Please try again. ${ifSent}` }
}

const or = new Intl.ListFormat('en-GB', { type: 'disjunction' })
const and = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** `PayPal, crypto or UPI`. */
export function anyMethod(on: readonly PaymentMethod[] = methods): string {
  return or.format(on.map((method) => methodWords[method].inText))
}

/** `by PayPal (a fee of $0.40 is added), by cryptocurrency or by UPI`. */
export function waysToPay(on: readonly PaymentMethod[] = methods): string {
  return or.format(on.map((method) => `by ${methodWords[method].inQuestions}`))
}

/** `PayPal adds $0.40. Crypto and UPI pay the plain total.` */
export function feeSentence(on: readonly PaymentMethod[] = methods): string {
  const plain = on.filter((method) => feeCentsOf(method) === 0).map((method) => methodNames[method])
  return [
    ...on.filter((method) => feeCentsOf(method) > 0).map((method) => `${methodNames[method]} adds ${feeOf(method)}.`),
    ...(plain.length > 0 ? [`${and.format(plain)} ${plain.length === 1 ? 'pays' : 'pay'} the plain total.`] : []),
  ].join(' ')
}

function feeOf(method: PaymentMethod): string {
  return usd(feeCentsOf(method))
}

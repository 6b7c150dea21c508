import type { Order, PaymentMethod } from '#contract/order.ts'
import type { PaymentSettings } from '#contract/settings.ts'
import { paiseOf, WALLET_FEE_CENTS } from '#pricing'
import { centsOf, decimal, inr, paisePerUsd, usd } from '../../lib/format.ts'

export interface MethodOffer {
  readonly method: PaymentMethod
  readonly isAvailable: boolean
  /** Why it cannot be chosen. */
  readonly reason: string | null
  /** What it charges, as shown and as sent. */
  readonly charge: string
  readonly amount: string
}

const methods = ['paypal', 'crypto', 'upi'] as const
const unavailable = 'Currently unavailable'

/** The shop says what each method charges this order; a switch turned off since then counts at once. */
export function offersOf(order: Order, settings: PaymentSettings | undefined): MethodOffer[] {
  return methods.map((method) => {
    const told = order.methods?.find((one) => one.method === method)
    const isOff = settings?.[`${method}Enabled`] === false
    const amount = told?.payable ?? payableOf(order, method)
    return {
      method,
      isAvailable: !isOff && told?.available !== false,
      reason: isOff ? unavailable : told?.available === false ? (told.reason ?? unavailable) : null,
      charge: method === 'upi' ? inr(centsOf(amount)) : usd(centsOf(amount)),
      amount,
    }
  })
}

function payableOf(order: Order, method: PaymentMethod): string {
  const cents = centsOf(order.totalAmount)
  switch (method) {
    case 'paypal':
      return decimal(cents + WALLET_FEE_CENTS)
    case 'crypto':
      return decimal(cents)
    case 'upi':
      return decimal(paiseOf(cents, paisePerUsd(order.inrPerUsd)))
  }
}

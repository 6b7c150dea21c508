import type { PaymentMethod } from '#contract/order.ts'
import { policy } from '../../claims.ts'
import { methods as allMethods, waysToPay } from '../../method-words.ts'

interface Entry {
  readonly question: string
  readonly answer: string
  /** Left out while none of these methods is on. */
  readonly methods?: readonly PaymentMethod[]
}

/** The questions, without those about methods that are off. */
export function faqEntries(on: readonly PaymentMethod[] = allMethods): readonly Entry[] {
  return entries(on).filter(({ methods }) => methods === undefined || methods.some((method) => on.includes(method)))
}

const entries = (on: readonly PaymentMethod[]): readonly Entry[] => [
  {
    question: 'Where do the coins go?',
    answer:
      'To your in-game market ID: the 8-digit number of your listing on the market. Orders of 100M and more are spread over several IDs, at most 50M each.',
  },
  {
    question: 'How can I pay?',
    answer: `You can pay ${waysToPay(on)}. You see the exact charge before you pay.`,
    methods: allMethods,
  },
  {
    question: 'Can I pay with USDT?',
    answer:
      'Yes, where the page of the payment offers it: choose it under “Pay with another coin”, and send it over the network that is named there. A crypto payment begins in Litecoin.',
    methods: ['crypto'],
  },
  {
    question: 'What if the price changes while I order?',
    answer: 'You are shown the old and the new price and asked again. Once your order is placed, its price stays.',
  },
  {
    question: 'Do I need an account?',
    answer:
      'No. An e-mail address and your chat username are enough. The address of your order page is the key to your order: keep it.',
  },
  {
    question: 'What if something goes wrong?',
    answer: `Contact support with your order number and a payment proof. ${policy.refundRequests} ${policy.final}`,
  },
]

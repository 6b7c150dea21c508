import { centsToText } from '#money'
import type { Order } from '#contract/order.ts'
import { sendRefund } from '../../../api/admin.ts'
import { Failure } from '../../../api/client.ts'
import { centsOf, money, usd } from '../../../lib/format.ts'
import { providerName } from './provider-names.ts'
import { causesOf, refundReasonFor, refundReasonNames } from './staff-words.ts'

type Receipt = NonNullable<Order['receipts']>[number]

const RECEIPTS_MAX = 20

/** The newest payment that the shop can pay back what is due from; undefined if staff do it at the provider. */
function dueReceipt({ receipts = [] }: Order): (Receipt & { readonly dueToSend: string }) | undefined {
  return receipts.findLast(
    (one): one is Receipt & { dueToSend: string } => one.dueToSend !== null && centsOf(one.dueToSend) > 0,
  )
}

export function canPayBack(order: Order): boolean {
  return dueReceipt(order) !== undefined
}

/** `$0.59`; in the currency of the payment if the shop sends it. */
export function dueText(order: Order): string {
  const receipt = dueReceipt(order)
  return receipt ? money({ amount: receipt.dueToSend, currency: receipt.currency }) : usd(order.toPayBackCents)
}

/** What needs a person, else why it would be paid back. */
export function causeText(order: Order): string {
  return causesOf(order) || refundReasonNames[refundReasonFor(order)]
}

/** The provider that holds the money. */
export function payBackProvider(order: Order): string {
  const receipt = dueReceipt(order) ?? order.receipts?.findLast(({ heldCents }) => heldCents > 0)
  return providerName(receipt?.provider ?? '')
}

/** `$1.18 through PayPal, ₹52.04 through Cashfree`. */
export function totalsToPayBack(orders: readonly Order[]): string {
  const totals = new Map<string, { cents: number; currency: string }>()
  for (const order of orders) {
    const { dueToSend: amount = centsToText(order.toPayBackCents), currency = 'USD' } = dueReceipt(order) ?? {}
    const name = payBackProvider(order)
    totals.set(name, { cents: (totals.get(name)?.cents ?? 0) + centsOf(amount), currency })
  }
  return [...totals]
    .map(([name, { cents, currency }]) => `${money({ amount: centsToText(cents), currency })} through ${name}`)
    .join(', ')
}

/** What became of the newest refund: still requested, recorded or failed. */
export function refundOutcome({ events = [] }: Order) {
  return events.findLast(({ type }) => /^Refund(?:Requested|Recorded|Failed)$/.test(type))
}

/** Sends all that is due, a payment after the other. Throws what the shop or the provider says against it. */
export async function payBack(order: Order): Promise<void> {
  let current = order
  for (let count = 0; count < RECEIPTS_MAX; count += 1) {
    const receipt = dueReceipt(current)
    if (!receipt) return
    const { receiptId, dueToSend: amount } = receipt
    const reason = refundReasonFor(current)
    current = await sendRefund(current.id, { revision: current.revision, receiptId, amount, reason })
    const outcome = refundOutcome(current)
    if (outcome?.type === 'RefundFailed') throw new Failure(outcome.text)
    // Under way: a worker goes on, and the order is busy until then.
    if (outcome?.type === 'RefundRequested') return
  }
}

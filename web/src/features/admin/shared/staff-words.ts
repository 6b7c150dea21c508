import {
  type Actor,
  type DeliveryMode,
  type Order,
  type PaymentMethod,
  reasonsOfGivenCoins,
  type RefundReason,
  type SellerProtection,
  type SettlementReason,
} from '#contract/order.ts'
import type { BlockReason } from '#contract/blocks.ts'
import type { OrderList } from '#contract/order-list-query.ts'
import CircleCheck from 'lucide:circle-check'
import CircleX from 'lucide:circle-x'
import Clock from 'lucide:clock'
import { isByStaff } from '../../../api/orders.ts'
import { plainText } from '#contract/typed-text.ts'
import { centsOf, count, usd } from '../../../lib/format.ts'
import type { Icon } from '../../../lib/icon.tsx'
import { methodNames } from '../../../method-words.ts'

const inUtc = { year: 'numeric', timeZone: 'UTC' } as const
const dayOfMonth = new Intl.DateTimeFormat('en-GB', { ...inUtc, day: 'numeric', month: 'short' })
const dueDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const month = new Intl.DateTimeFormat('en-GB', { ...inUtc, month: 'long' })

/** `January 2026` for `2026-01`. */
export function monthName(yearAndMonth: string): string {
  return month.format(new Date(`${yearAndMonth}-01T00:00:00Z`))
}

/** `31 Jan 2026` for `2026-01-31`. */
export function dayName(isoDay: string): string {
  const at = new Date(`${isoDay}T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? isoDay : dayOfMonth.format(at)
}

/** The payment method's name; Litecoin until the buyer has chosen. */
export function paidWith(method: PaymentMethod | null): string {
  return method === null ? 'Litecoin' : methodNames[method]
}

/** `Processing`, `Completed`, or how the order ended. `detailOf` adds details. */
export function statusOf({ status, endedAs }: Pick<Order, 'status' | 'endedAs'>): {
  text: string
  colour: string
  icon: Icon
} {
  if (status === 'completed') return { text: 'Completed', colour: 'text-green', icon: CircleCheck }
  if (status === 'failed') return { text: capitalized(endedAs ?? 'failed'), colour: 'text-muted', icon: CircleX }
  return { text: 'Processing', colour: 'text-ink', icon: Clock }
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

const paymentWords: Record<Order['paymentStatus'], string> = {
  pending: 'not paid',
  waiting: 'waiting',
  processing: 'payment seen',
  partially_paid: 'partly paid',
  completed: 'paid',
  failed: 'payment failed',
}

type Stated = Pick<Order, 'status' | 'paymentStatus' | 'situation' | 'attention' | 'deleted' | 'refundedCents'>

/** Shown beside the status; may be empty. */
export function detailOf(order: Stated): string {
  if (order.deleted) return 'deleted'
  if (order.attention !== null) return uncapitalized(causeNames(order)[0] ?? '')
  if (order.status === 'completed' && order.refundedCents > 0) return `${usd(order.refundedCents)} refunded`
  if (isByStaff(order)) return 'approved'
  return order.status === 'pending' ? paymentWords[order.paymentStatus] : ''
}

/** Whether the order's coins may have been given already. */
export function mayBeGiven({ attention }: Pick<Order, 'attention'>): boolean {
  return attention?.reasons.some((reason) => reasonsOfGivenCoins.includes(reason)) === true
}

/** Whether staff may have given the coins without marking the order, or its delivery has an unknown result. */
export function asksIfGiven(order: Pick<Order, 'status' | 'ready' | 'attention'>): boolean {
  return order.status === 'pending' && (order.ready?.deliveryMode === 'staff' || mayBeGiven(order))
}

/** Not deleted together with others: its coins or its money ask for a decision first. */
export function isLeftOut(
  order: Pick<Order, 'status' | 'ready' | 'attention' | 'paidCents' | 'toPayBackCents'>,
): boolean {
  return asksIfGiven(order) || (order.status === 'completed' ? order.toPayBackCents : order.paidCents) > 0
}

/** Names the money of orders that are about to be deleted, or of those among them that are left out. */
export function deletionSentence(orders: readonly Held[], leftOut: readonly Held[]): string {
  const held = usd((leftOut.length > 0 ? leftOut : orders).reduce((sum, { paidCents }) => sum + paidCents, 0))
  if (leftOut.length > 1) return `${count(leftOut.length)} of them hold ${held} and are left out.`
  if (leftOut.length === 1) return `1 of them holds ${held} and is left out.`
  const what = held === usd(0) ? 'no money' : `${held}; deleting pays nothing back`
  return `${orders.length === 1 ? 'It holds' : 'They hold'} ${what}.`
}

type Held = Pick<Order, 'paidCents'>

/** A payer's complaint asks for staff: money and coins may both be lost. */
export function isDisputed({ attention }: Pick<Order, 'attention'>): boolean {
  return attention?.reasons.includes('disputed') === true
}

/** What approving this order does; `deliveryMode` is the shop's current one. */
export function approvalSentence(order: Pick<Order, 'ready' | 'attention'>, deliveryMode: DeliveryMode): string {
  return (order.ready?.deliveryMode ?? deliveryMode) === 'webhook' && !mayBeGiven(order)
    ? 'Approve asks the bot to give the coins.'
    : 'Approve says that the coins were given: the order is completed. There is no way back.'
}

/** Says how much money is missing, before an approval. Undefined if none is. */
export function lackSentence({ paidCents, totalAmount }: Pick<Order, 'paidCents' | 'totalAmount'>): string | undefined {
  const total = centsOf(totalAmount)
  if (paidCents >= total) return undefined
  return paidCents === 0
    ? `No money is held for this order of ${usd(total)}.`
    : `Only ${usd(paidCents)} of ${usd(total)} is held for this order.`
}

/** The API counts waiting orders and payments up to this. */
const COUNTED_MAX = 10_000

/** `1 order`, `7 orders`, `10,000+ orders`. */
export function atLeast(counted: number, what: string): string {
  return counted === 1 ? `1 ${what}` : `${count(counted)}${counted < COUNTED_MAX ? '' : '+'} ${what}s`
}

/** `10,000+` when the count is capped. */
export function matching({ filtered, filteredIsExact }: Pick<OrderList, 'filtered' | 'filteredIsExact'>): string {
  return `${count(filtered)}${filteredIsExact ? '' : '+'}`
}

/** `12 min`, `3 h`, `2 days`. */
export function ageOf(since: string, nowMs: number): string {
  const minutes = Math.floor((nowMs - Date.parse(since)) / 60_000)
  if (minutes < 1) return '< 1 min'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h`
  const days = Math.floor(hours / 24)
  return days === 1 ? '1 day' : `${days} days`
}

export const blockReasonNames: Readonly<Record<BlockReason, string>> = {
  chargeback: 'Chargeback',
  fraud: 'Fraud',
  abuse: 'Abuse of staff',
  rules: 'Broke the rules',
  'asked-for': 'Asked for it',
  other: 'Other',
}

export function isRefundAmount(typed: string): boolean {
  const text = plainText(typed)
  return /^\d{1,9}(\.\d{1,2})?$/.test(text) && centsOf(text) > 0
}

/** Preset for a refund. */
export function refundReasonFor({ attention, status }: Pick<Order, 'attention' | 'status'>): RefundReason {
  const suggested = attention?.forStaff?.find(({ refundReason }) => refundReason !== null)?.refundReason
  return suggested ?? (status === 'pending' ? 'not-delivered' : 'asked-for')
}

export const refundReasonNames: Record<RefundReason, string> = {
  'not-delivered': 'Not delivered',
  'paid-too-much': 'Paid too much',
  'paid-twice': 'Paid twice',
  'paid-late': 'Paid too late',
  'asked-for': 'The buyer asked for it',
  other: 'Another reason',
}

export const settlementReasonNames: Record<SettlementReason, string> = {
  'to-pay-back': 'It will be paid back, and noted as a refund',
  'left-to-shop': 'The buyer leaves it to the shop',
  'pays-given-coins': 'It pays for coins that were given',
  'pays-another-order': 'It pays for another order',
  'nothing-owed': 'Looked into: nothing is owed',
  'loss-accepted': 'The shop bears a loss',
  other: 'Another reason',
}

/** `Paid too little`, `Payment disputed, due 3 Dec`. */
export function causeNames({ attention }: Pick<Order, 'attention'>): string[] {
  const { forStaff = [], reasons = [], dueAt } = attention ?? {}
  const due = dueAt === undefined ? '' : `, due ${dueDay.format(new Date(dueAt))}`
  return forStaff.map(({ name }, index) => (reasons[index] === 'disputed' ? name + due : name))
}

/** `Paid too little, receipt of another order`. */
export function causesOf(order: Pick<Order, 'attention'>): string {
  const [first = '', ...others] = causeNames(order)
  return [first, ...others.map(uncapitalized)].join(', ')
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** `$0.27 missing`, `$0.59 to pay back`; empty if the money is right. */
export function differenceOf({ dueCents, toPayBackCents }: Pick<Order, 'dueCents' | 'toPayBackCents'>): string {
  if (toPayBackCents > 0) return `${usd(toPayBackCents)} to pay back`
  return dueCents > 0 ? `${usd(dueCents)} missing` : ''
}

export const protectionNames: Record<SellerProtection, string> = { full: 'Yes', partial: 'In part', none: 'No' }

export const actorNames: Record<Actor, string> = {
  buyer: 'Buyer',
  staff: 'Staff',
  system: 'Shop',
  provider: 'Payment provider',
}

/** `PayPal Transactions`, for instance. */
export function transactionsTitle(method: PaymentMethod | null): string {
  return `${method === null || method === 'upi' ? 'Payment' : methodNames[method]} Transactions`
}

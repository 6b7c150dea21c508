import type { Actor, RefundFailure, RefundReason, SettlementReason } from '../domain/words.ts'
import type { OrderEvent, OrderEventData } from '../domain/order/events.ts'
import { isPositiveDecimal } from '../domain/decimal.ts'
import { currentAttempt, type Attempt, type PlacedOrder } from '../domain/order/order-state.ts'
import { rounded, shareOf } from '../domain/fraction.ts'
import { inr, millions, usd } from '../domain/money.ts'
import { methodRows, type PaymentMethod } from '../domain/payment-methods.ts'

/* What people read of each event of an order. No text holds personal data: anyone with the order's link reads the buyer's. */

type OrderEventType = OrderEvent['type']
type Data<Type extends OrderEventType> = OrderEventData<Type>

interface Row<Type extends OrderEventType> {
  /** The actor, not always the caller: a buyer's request may trigger a payment check and the delivery. */
  readonly by: (data: Data<Type>, caller: Actor) => Actor
  /** Its line in the timeline of this order, as the order is now. */
  readonly text: (data: Data<Type>, order: PlacedOrder | undefined) => string
  /** The text on the buyer's page; 'same': the text for staff. */
  readonly forBuyer: ((data: Data<Type>, order: PlacedOrder | undefined) => string) | 'same'
}
type Rows = { readonly [Type in OrderEventType]: Row<Type> }

/** The audience of the texts. */
export type Reader = 'staff' | 'buyer'

/** For the buyer, when a cause begins. */
export const NEEDS_PERSON = 'A person at the shop will look at this order.'

const refundTexts: Readonly<Record<RefundReason, string>> = {
  'not-delivered': 'it was not delivered',
  'paid-too-much': 'too much was paid',
  'paid-twice': 'it was paid twice',
  'paid-late': 'the payment came too late',
  'asked-for': 'the buyer asked for it',
  other: 'for another reason',
}

const refundFailures: Readonly<Record<RefundFailure, string>> = {
  refused: 'The provider refused the refund',
  disputed: 'The refund was not sent, as its payment is disputed',
  changed: 'The refund was not sent, as other money of its payment went back',
  unknown: 'The provider did not say whether the refund was made',
}

const settlementTexts: Readonly<Record<SettlementReason, string>> = {
  'to-pay-back': 'the money is to be paid back',
  'left-to-shop': 'the buyer leaves the money to the shop',
  'pays-given-coins': 'the money pays for coins that were given',
  'pays-another-order': 'the money pays for another order',
  'nothing-owed': 'nothing is owed',
  'loss-accepted': 'the shop bears the loss',
  other: 'for another reason',
}

const failures: Readonly<Record<OrderEventData<'PaymentFailed'>['reason'], { text: string; actor: Actor }>> = {
  failed: { text: 'failed', actor: 'provider' },
  expired: { text: 'was not made in time', actor: 'provider' },
  refunded: { text: 'was refunded', actor: 'provider' },
  declined: { text: 'was declined', actor: 'provider' },
  cancelled: { text: 'was cancelled', actor: 'provider' },
  'reference-used': { text: 'was given up, as its reference was taken', actor: 'system' },
  'capture-unknown': { text: 'ended without word whether its money was taken', actor: 'system' },
}

/** A provider's decimal text. Coins have more decimals than money and stay as they are. */
function money(amount: string, currency: string): string {
  const code = currency.toUpperCase()
  if (code === 'USD') return usd(100 * Number(amount))
  return code === 'INR' ? inr(100 * Number(amount)) : `${amount} ${code}`
}

function withFee(method: PaymentMethod): string {
  const { name, feeCents } = methodRows[method]
  return feeCents > 0 ? `${name} (fee ${usd(feeCents)})` : name
}

const caller = (_data: unknown, actor: Actor): Actor => actor
const provider = (): Actor => 'provider'
const system = (): Actor => 'system'

const strayTexts: Readonly<Record<Data<'ReceiptUnusable'>['news'], string>> = {
  noted: 'Money came in another coin than was asked for.',
  gone: 'The money in another coin went back.',
  again: 'The money in another coin is there again.',
}

function centsText(cents: number): string {
  return cents === 0 ? 'less than a cent' : usd(cents)
}

/** Cents of the order, in rupees if this attempt charges rupees: the same share of what it asked for. */
function chargedText(cents: number, attempt: Attempt | undefined): string {
  if (cents === 0 || attempt?.currency !== 'INR' || attempt.coversCents === 0) return centsText(cents)
  return inr(rounded(shareOf(attempt.askedMinor, String(cents), String(attempt.coversCents))))
}

/** What arrived, as the provider names it, and what that pays where it differs: coins have a price, PayPal adds a fee. */
function receivedText({ addedAmount, addedCents, currency }: Data<'PaymentReceived'>): readonly [string, string] {
  const arrived = money(addedAmount, currency)
  const code = currency.toUpperCase()
  if (code === 'INR' || arrived === usd(addedCents)) return [arrived, '']
  const feeCents = code === 'USD' ? Math.round(100 * Number(addedAmount)) - addedCents : 0
  return [
    arrived,
    feeCents > 0 ? `: ${usd(addedCents)} and the fee of ${usd(feeCents)}` : `, worth ${centsText(addedCents)}`,
  ]
}

function receiptOf(order: PlacedOrder | undefined, receiptId: string | undefined) {
  return order?.receipts.find((receipt) => receipt.receiptId === receiptId)
}

/** The payment that brought a receipt. */
export function attemptOf(order: PlacedOrder | undefined, receiptId: string | undefined): Attempt | undefined {
  return order?.attempts[(receiptOf(order, receiptId)?.attempt ?? 0) - 1]
}

function paidBackText({ done, pending, failed, receiptId }: Data<'RefundReported'>, order: PlacedOrder | undefined) {
  const currency = receiptOf(order, receiptId)?.currency
  const shown = (amount: string) => (currency === undefined ? amount : money(amount, currency))
  const others = [
    ...(isPositiveDecimal(pending) ? [`${shown(pending)} under way`] : []),
    ...(isPositiveDecimal(failed) ? [`${shown(failed)} failed`] : []),
  ]
  return [shown(done), ...others].join(', ')
}

/** What was paid back, as its payer sees it. */
export function refundedText(
  { amountCents, parts, sent }: Pick<Data<'RefundRecorded'>, 'amountCents' | 'parts' | 'sent'>,
  order: PlacedOrder | undefined,
): string {
  const currency = sent && receiptOf(order, parts[0]?.receiptId)?.currency
  if (sent && currency) return money(sent.amount, currency)
  const attempts = parts.map(({ receiptId }) => attemptOf(order, receiptId))
  return chargedText(amountCents, attempts.every((attempt) => attempt?.currency === 'INR') ? attempts[0] : undefined)
}

/** What readers see of each event. */
const rows: Rows = {
  OrderPlaced: {
    by: caller,
    text: ({ quantityM, totalCents, preOrder }, order) => {
      const total = chargedText(totalCents, order && currentAttempt(order))
      return `${preOrder ? 'Pre-order' : 'Order'} of ${millions(quantityM)} placed for ${total}.`
    },
    forBuyer: 'same',
  },
  OrderAbandoned: {
    by: system,
    text: () => 'A reservation that was never used was given up.',
    forBuyer: 'same',
  },
  PaymentMethodChosen: {
    by: caller,
    text: ({ paymentMethod }) => `Payment by ${withFee(paymentMethod)} chosen.`,
    forBuyer: ({ paymentMethod }) => `You chose to pay by ${withFee(paymentMethod)}.`,
  },
  PaymentRequested: {
    by: caller,
    text: ({ attempt, method }) => `Payment ${attempt} by ${methodRows[method].name} requested.`,
    forBuyer: ({ method }) => `Your payment by ${methodRows[method].name} is being prepared.`,
  },
  PaymentStarted: {
    by: provider,
    text: ({ attempt, payAmount, payCurrency }) => `Payment ${attempt} is open: ${money(payAmount, payCurrency)}.`,
    forBuyer: ({ payAmount, payCurrency }) => `Waiting for your payment of ${money(payAmount, payCurrency)}.`,
  },
  PaymentSeen: {
    by: provider,
    text: ({ attempt, status }) =>
      status === 'partially_paid'
        ? `A part of payment ${attempt} was seen.`
        : `Payment ${attempt} was seen and is being confirmed.`,
    forBuyer: ({ status }) =>
      status === 'partially_paid'
        ? 'A part of your payment was seen.'
        : 'Your payment was seen and is being confirmed.',
  },
  CaptureRequested: {
    by: system,
    text: ({ attempt }) => `The money of payment ${attempt} is being taken.`,
    forBuyer: () => 'Your payment is being taken.',
  },
  PaymentReceived: {
    by: provider,
    text(data) {
      const [arrived, pays] = receivedText(data)
      return `Payment of ${arrived} received${pays}.`
    },
    forBuyer(data) {
      const [arrived, pays] = receivedText(data)
      return `Your payment of ${arrived} has arrived${pays}.`
    },
  },
  PaymentFailed: {
    by: ({ reason }) => failures[reason].actor,
    text: ({ attempt, reason }) => `Payment ${attempt} ${failures[reason].text}.`,
    forBuyer: ({ reason }) => `Your payment ${failures[reason].text}.`,
  },
  PaymentReversed: {
    by: provider,
    text({ takenCents, receiptId }, order) {
      const taken = chargedText(Math.abs(takenCents), attemptOf(order, receiptId))
      return takenCents < 0 ? `A reversal of ${taken} was undone.` : `${taken} taken back.`
    },
    forBuyer({ takenCents, receiptId }, order) {
      const taken = chargedText(Math.abs(takenCents), attemptOf(order, receiptId))
      return takenCents < 0 ? `${taken} of your payment came again.` : `${taken} of your payment was taken back.`
    },
  },
  RefundReported: {
    by: provider,
    text: (data, order) => `The provider reports as paid back: ${paidBackText(data, order)}.`,
    forBuyer: (data, order) => `The payment provider reports as paid back: ${paidBackText(data, order)}.`,
  },
  PaymentDisputed: {
    by: provider,
    text: ({ attempt, respondBy }) =>
      `The payer disputes payment ${attempt} at its provider${respondBy === undefined ? '' : `; an answer is due by ${respondBy.slice(0, 10)}`}.`,
    forBuyer: () => 'Your payment is disputed: a person looks at it.',
  },
  DisputeClosed: {
    by: provider,
    text: ({ outcome }) =>
      outcome === 'won' ? 'The dispute was decided for the shop.' : 'The dispute was decided for the payer.',
    forBuyer: () => 'The dispute about your payment is over.',
  },
  BlockFound: {
    by: (_data, actor) => (actor === 'staff' ? 'staff' : 'system'),
    text: () => 'The buyer or payer is blocked.',
    forBuyer: () => NEEDS_PERSON,
  },
  RefundRequested: {
    by: caller,
    text: ({ amount, currency, reason }) => `${money(amount, currency)} is to be paid back: ${refundTexts[reason]}.`,
    forBuyer: ({ amount, currency }) => `The shop is paying ${money(amount, currency)} back to you.`,
  },
  RefundFailed: {
    by: ({ why }) => (why === 'refused' ? 'provider' : 'system'),
    text: ({ why, words }) => `${refundFailures[why]}${words === null ? '' : `: ${words}`}.`,
    forBuyer: () => `The refund has not gone through yet. ${NEEDS_PERSON}`,
  },
  RefundRecorded: {
    by: ({ sent }, actor) => (sent ? 'provider' : actor),
    text: (data, order) =>
      `${refundedText(data, order)} refunded${data.sent?.isPending ? ', under way at the provider' : ''}: ${refundTexts[data.reason]}.`,
    forBuyer: (data, order) =>
      `${refundedText(data, order)} ${data.sent?.isPending ? 'is on its way back' : 'was refunded'} to you.`,
  },
  PaymentWatchEnded: {
    by: system,
    text: ({ attempt }) => `Payment ${attempt} is not watched any longer.`,
    forBuyer: () => 'The shop does not wait for this payment any longer.',
  },
  PaymentWatchHeldUp: {
    by: system,
    text: () => 'Errors have kept the shop from asking the provider whether money came.',
    forBuyer: () => NEEDS_PERSON,
  },
  ReceiptUnusable: {
    by: system,
    text: ({ why, news }) =>
      why === 'another-coin' ? strayTexts[news] : 'A receipt was shown that has paid another order.',
    forBuyer: ({ news }) => (news === 'gone' ? 'Money that came in another coin went back.' : NEEDS_PERSON),
  },
  OrderApproved: {
    by: caller,
    text: () => 'Approved by staff.',
    forBuyer: () => 'Approved by the shop.',
  },
  PreOrderReserved: {
    by: system,
    text: () => 'Coins for this pre-order are in stock.',
    forBuyer: () => 'The coins of your pre-order are in stock.',
  },
  OrderReady: {
    by: system,
    text: () => 'The coins are ready to be handed over.',
    forBuyer: () => 'Your coins are ready to be handed over.',
  },
  DeliveryHeld: {
    by: system,
    text: () => 'The buyer cannot be read, so the bot was not asked.',
    forBuyer: () => NEEDS_PERSON,
  },
  DeliveryRequested: {
    by: system,
    text: () => 'The coins are being delivered.',
    forBuyer: () => 'Your coins are being delivered.',
  },
  DeliveryGivenUp: {
    by: system,
    text: () => 'It is not known whether the coins were given.',
    forBuyer: () => NEEDS_PERSON,
  },
  DeliveredAfterEnd: {
    by: system,
    text: () => 'It became known after the end that the coins were given.',
    forBuyer: () => NEEDS_PERSON,
  },
  OrderCompleted: {
    by: (_data, actor) => (actor === 'staff' ? 'staff' : 'system'),
    text: ({ quantityM }) => `Completed: ${millions(quantityM)} delivered.`,
    forBuyer: 'same',
  },
  OrderExpired: {
    by: system,
    text: () => 'Expired: it was not paid in time.',
    forBuyer: 'same',
  },
  OrderCancelled: { by: caller, text: () => 'Cancelled.', forBuyer: 'same' },
  OrderReinstated: {
    by: system,
    text: () => 'Paid late: the order is open again.',
    forBuyer: () => 'Your payment came late: the order is open again.',
  },
  ReinstatementRefused: {
    by: system,
    text: () => 'Paid after it had ended, and it was not brought back.',
    forBuyer: () => NEEDS_PERSON,
  },
  AttentionSettled: {
    by: caller,
    text: ({ reason }) => `Settled by staff: ${settlementTexts[reason]}.`,
    forBuyer: () => 'A person at the shop has looked at this order.',
  },
  OrderDeleted: {
    by: caller,
    text: () => 'Deleted by staff.',
    forBuyer: () => 'Deleted by the shop.',
  },
}

type ShownEvent<Type extends OrderEventType = OrderEventType> = {
  [Each in Type]: { readonly type: Each; readonly data: Data<Each>; readonly metadata: { readonly actor: Actor } }
}[Type]

export function actorOf<Type extends OrderEventType>({ type, data, metadata }: ShownEvent<Type>): Actor {
  return rows[type].by(data, metadata.actor)
}

/** `order`: as it is now, which says in which currency it is paid. */
export function orderEventText<Type extends OrderEventType>(
  { type, data }: ShownEvent<Type>,
  reader: Reader,
  order: PlacedOrder | undefined,
): string {
  const { text, forBuyer } = rows[type]
  return reader === 'staff' || forBuyer === 'same' ? text(data, order) : forBuyer(data, order)
}

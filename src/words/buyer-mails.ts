import type { SoldWords } from '../domain/settings/shop-texts.ts'
import { inr, millions, usd } from '../domain/money.ts'
import { methodRows } from '../domain/payment-methods.ts'
import { hasCause } from '../domain/order/causes.ts'
import type { OrderEvent, OrderEventData } from '../domain/order/events.ts'
import { chargedOf, isCovered, paidCents } from '../domain/order/order-money.ts'
import {
  endedAt,
  isOpen,
  lifeBeforeDeletion,
  outcomeOf,
  type OrderState,
  type PlacedOrder,
} from '../domain/order/order-state.ts'
import { situationOf } from '../domain/order/situation.ts'
import { dueCents } from '../domain/order/standing.ts'
import type { Situation } from '../domain/words.ts'
import { buyerSentence } from './cause-words.ts'
import { refundedText } from './event-words.ts'
import { paymentText } from './payment-text.ts'
import { arrivalOf } from './refund-texts.ts'
import { placedOrder } from './timeline.ts'

/* What a buyer is mailed about an order. Nothing before money: a stranger could otherwise make the shop write to anybody. */

type ReadEvent = OrderEvent & { readonly revision: number }

/** All events of an order, and the order after each. */
interface ReadHistory {
  readonly events: readonly ReadEvent[]
  readonly orders: readonly OrderState[]
}

export type MailKind = 'seen' | 'paid' | 'short' | 'delivered' | 'refunded' | 'refund-held' | 'ended'

/** A mail's parts; the sender makes plain text and HTML of them. */
export interface MailContent {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly button: string
}

interface Moment {
  readonly event: ReadEvent
  readonly before: PlacedOrder
  readonly after: PlacedOrder
  readonly now: PlacedOrder
  readonly events: readonly ReadEvent[]
}

type Row = (moment: Moment) => MailKind | undefined

const awaitsCoins: ReadonlySet<Situation> = new Set(['approved', 'delivering', 'pre-ordered', 'looked-into'])
const ended: Row = ({ before, now }) =>
  isOpen(before) && before.moneySeenAt !== undefined && isEndedWithMoney(now) ? 'ended' : undefined

/** The events that may ask for a mail: which, or none if what it would say is no longer true. */
const rows: Readonly<Partial<Record<OrderEvent['type'], Row>>> = {
  PaymentSeen: ({ before, now }) =>
    before.moneySeenAt === undefined && situationOf(now) === 'seen' ? 'seen' : undefined,
  PaymentReceived({ event, before, after, now, events }) {
    if (!isOpen(after)) return isEndedWithMoney(now) ? 'ended' : undefined
    if (isCovered(after)) return !isCovered(before) && isPaidNow(now) ? 'paid' : undefined
    const isLast = !events.some(({ type, revision }) => type === event.type && revision > event.revision)
    return isLast && situationOf(now) === 'short' ? 'short' : undefined
  },
  OrderCompleted: ({ now }) => (outcomeOf(now) === 'completed' ? 'delivered' : undefined),
  RefundRecorded: ({ now }) => (hasCause(now, 'refund-failed') ? undefined : 'refunded'),
  RefundReported: ({ before, now }) =>
    !hasCause(before, 'refund-failed') && hasCause(now, 'refund-failed') ? 'refund-held' : undefined,
  RefundFailed: ({ now }) =>
    hasCause(now, 'refund-refused') || hasCause(now, 'refund-unknown') ? 'refund-held' : undefined,
  OrderExpired: ended,
  OrderCancelled: ended,
  OrderDeleted: ended,
}

export function mayAskForMail(type: string): boolean {
  return type in rows
}

/** Which mail the event of this revision asks for; undefined if none. */
export function mailOf({ events, orders }: ReadHistory, revision: number): MailKind | undefined {
  const event = events[revision]
  const [before, after, now] = [
    placedOrder(orders[revision - 1]),
    placedOrder(orders[revision]),
    placedOrder(orders.at(-1)),
  ]
  if (!event || !before || !after || !now) return undefined
  return rows[event.type]?.({ event, before, after, now, events })
}

function isPaidNow(order: PlacedOrder): boolean {
  return isOpen(order) && isCovered(order) && awaitsCoins.has(situationOf(order))
}

function isEndedWithMoney(order: PlacedOrder): boolean {
  const { kind } = lifeBeforeDeletion(order)
  return kind !== 'completed' && !isOpen(order) && order.moneySeenAt !== undefined && outcomeOf(order) !== 'refunded'
}

interface Told {
  readonly order: PlacedOrder
  /** What the event of the mail paid back. */
  readonly refund?: OrderEventData<'RefundRecorded'> | undefined
  readonly words: Pick<SoldWords, 'coins'>
  /** Who sells, for the receipt. */
  readonly seller?: Readonly<Record<'name' | 'address' | 'taxNumber' | 'line', string>> | undefined
}

export function mailContent(kind: MailKind, { order, refund, words: { coins }, seller }: Told): MailContent {
  const { orderNumber, quantityM, totalCents } = order.placed
  const amount = `${millions(quantityM)} ${coins}`
  const asked = buyerSentence(order)
  const facts: MailContent['facts'] = [
    ['Order', orderNumber],
    ['Coins', amount],
    ['Total', usd(totalCents)],
    ['Received', usd(paidCents(order))],
    ['Payment', paymentText(order)],
  ]
  const mail = (subject: string, ...paragraphs: readonly (string | undefined)[]): MailContent => ({
    subject: `${subject}: order ${orderNumber}`,
    paragraphs: paragraphs.filter((text) => text !== undefined),
    facts: kind === 'delivered' ? [...facts, ...receiptOf(order, seller)] : facts,
    button: kind === 'short' ? 'Pay the rest' : 'Open your order',
  })
  switch (kind) {
    case 'seen':
      return mail('Your payment was seen', 'Your payment was seen and is being confirmed. You need to do nothing now.')
    case 'paid':
      return mail(
        'Your payment has arrived',
        asked ??
          (situationOf(order) === 'pre-ordered' ? PRE_ORDERED : `Your payment is safe. ${amount} will be handed over.`),
        'Leave the listing on the market until the coins have arrived.',
      )
    case 'short':
      return mail(
        'Part of your payment is missing',
        `${usd(paidCents(order))} of ${usd(totalCents)} arrived. Please pay the rest of ${usd(dueCents(order))} on the page of your order.`,
        asked,
      )
    case 'delivered':
      return mail('Your coins were delivered', `${amount} were handed over. Thank you. This is your receipt.`)
    case 'refunded': {
      const arrival = refund && arrivalOf(order, refund)
      const arrives = arrival === undefined ? '' : ` It arrives ${arrival}.`
      const amount = refund ? refundedText(refund, order) : usd(0)
      return refund?.sent?.isPending
        ? mail('Your money is on its way back', `The shop is paying back ${amount}.${arrives}`)
        : mail('Your money was paid back', `The shop has paid back ${amount}.${arrives}`)
    }
    case 'refund-held':
      return mail('Your refund has not gone through yet', buyerSentence(order) ?? LOOKED_AT)
    case 'ended':
      return mail('Your order has ended', asked ?? LATE, 'Please do not pay for this order any more.')
  }
}

function receiptOf(order: PlacedOrder, seller: Told['seller']): MailContent['facts'] {
  const paid = chargedOf(order)
  const { name = '', address = '', taxNumber = '', line = '' } = seller ?? {}
  const soldBy = [name, address, taxNumber, line].filter((text) => text !== '').join(', ')
  const sum = paid && (paid.currency === 'INR' ? inr(paid.amountMinor) : usd(paid.amountMinor))
  return [
    ...(sum === null || order.paymentMethod === null
      ? []
      : [['Paid', `${sum} by ${methodRows[order.paymentMethod].name}`] as const]),
    ['Delivered', (endedAt(order) ?? order.updatedAt).slice(0, 10)],
    ...(soldBy === '' ? [] : [['Sold by', soldBy] as const]),
  ]
}

const LOOKED_AT = 'A person at the shop will look at it. You need to do nothing now.'
const PRE_ORDERED = 'Your payment is safe. The coins are delivered when they are in stock.'
const LATE = 'This order has ended, and money for it was seen. A person at the shop will look at it.'

/** For a buyer who lost the page of an order. `orders`: number and link of each. */
export function foundOrdersMail(
  orders: readonly { readonly orderNumber: string; readonly link: string }[],
): Omit<MailContent, 'button'> {
  return {
    subject: orders.length === 1 ? 'Your order' : `Your ${orders.length} newest orders`,
    paragraphs: [
      'Somebody, probably you, asked for the orders of this e-mail address. Each link opens one order, and ends in an hour.',
      'If it was not you, you need to do nothing.',
    ],
    facts: orders.map(({ orderNumber, link }) => [`Order ${orderNumber}`, link]),
  }
}

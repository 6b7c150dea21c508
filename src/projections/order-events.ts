import type { Actor } from '../domain/words.ts'
import { type OrderEvent, type OrderEventData, orderEvents } from '../domain/order/events.ts'
import { isPositiveDecimal } from '../domain/decimal.ts'
import type { PaidBack, PlacedOrder } from '../domain/order/order-state.ts'
import { evolve } from '../domain/order/evolve.ts'
import { HELD_UP } from '../domain/order/causes.ts'
import { millions, usd } from '../domain/money.ts'
import { methodRows } from '../domain/payment-methods.ts'
import type { RecordedEvent } from '../log/event-log.ts'
import { failures, money, NEEDS_PERSON, refundTexts } from './order-words.ts'
import type { LogEvent } from './projection.ts'

/** Views that only some events of an order change; `orders` folds all. */
type OtherView = 'analytics' | 'customers' | 'payments' | 'reservations'
type OrderEventType = OrderEvent['type']
type Data<Type extends OrderEventType> = OrderEventData<Type>

interface Row<Type extends OrderEventType> {
  readonly changes: readonly OtherView[]
  /** The actor, not always the caller: a buyer's request may trigger a payment check and the delivery. */
  readonly by: (data: Data<Type>, caller: Actor) => Actor
  /** Its line in the timeline. */
  readonly text: (data: Data<Type>) => string
  /** The text on the buyer's page; 'same': the text for staff. */
  readonly forBuyer: ((data: Data<Type>) => string) | 'same'
}
type Rows = { readonly [Type in OrderEventType]: Row<Type> }

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

function paidBackText({ done, pending, failed }: PaidBack): string {
  const others = [
    ...(isPositiveDecimal(pending) ? [`${pending} under way`] : []),
    ...(isPositiveDecimal(failed) ? [`${failed} failed`] : []),
  ]
  return [done, ...others].join(', ')
}

/** What readers see of each event. */
const rows = {
  OrderPlaced: {
    changes: ['analytics', 'customers', 'reservations'],
    by: caller,
    text: ({ quantityM, totalCents, preOrder }) =>
      `${preOrder ? 'Pre-order' : 'Order'} of ${millions(quantityM)} placed for ${usd(totalCents)}.`,
    forBuyer: 'same',
  },
  OrderAbandoned: {
    changes: [],
    by: system,
    text: () => 'A reservation that was never used was given up.',
    forBuyer: 'same',
  },
  PaymentMethodChosen: {
    changes: [],
    by: caller,
    text: ({ paymentMethod }) => `Payment by ${methodRows[paymentMethod].name} chosen.`,
    forBuyer: ({ paymentMethod }) => `You chose to pay by ${methodRows[paymentMethod].name}.`,
  },
  PaymentRequested: {
    changes: [],
    by: caller,
    text: ({ attempt, method }) => `Payment ${attempt} by ${methodRows[method].name} requested.`,
    forBuyer: ({ method }) => `Your payment by ${methodRows[method].name} is being prepared.`,
  },
  PaymentStarted: {
    changes: [],
    by: provider,
    text: ({ attempt, payAmount, payCurrency }) => `Payment ${attempt} is open: ${money(payAmount, payCurrency)}.`,
    forBuyer: ({ payAmount, payCurrency }) => `Waiting for your payment of ${money(payAmount, payCurrency)}.`,
  },
  PaymentSeen: {
    changes: [],
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
    changes: [],
    by: system,
    text: ({ attempt }) => `The money of payment ${attempt} is being taken.`,
    forBuyer: () => 'Your payment is being taken.',
  },
  PaymentReceived: {
    changes: ['payments'],
    by: provider,
    text: ({ addedCents }) => `Payment received: it covers ${centsText(addedCents)}.`,
    forBuyer: ({ addedCents }) => `Your payment has arrived: it covers ${centsText(addedCents)}.`,
  },
  PaymentFailed: {
    changes: [],
    by: ({ reason }) => failures[reason].actor,
    text: ({ attempt, reason }) => `Payment ${attempt} ${failures[reason].text}.`,
    forBuyer: ({ reason }) => `Your payment ${failures[reason].text}.`,
  },
  PaymentReversed: {
    changes: [],
    by: provider,
    text: ({ takenCents }) =>
      takenCents < 0 ? `A reversal of ${usd(-takenCents)} was undone.` : `${centsText(takenCents)} taken back.`,
    forBuyer: ({ takenCents }) =>
      takenCents < 0
        ? `${usd(-takenCents)} of your payment came again.`
        : `${centsText(takenCents)} of your payment was taken back.`,
  },
  RefundReported: {
    changes: [],
    by: provider,
    text: ({ done, pending, failed }) =>
      `The provider reports as paid back: ${paidBackText({ done, pending, failed })}.`,
    forBuyer: ({ done, pending, failed }) =>
      `The payment provider reports as paid back: ${paidBackText({ done, pending, failed })}.`,
  },
  PaymentDisputed: {
    changes: [],
    by: provider,
    text: ({ attempt }) => `The payer disputes payment ${attempt} at its provider.`,
    forBuyer: () => 'Your payment is disputed: a person looks at it.',
  },
  DisputeClosed: {
    changes: [],
    by: provider,
    text: ({ outcome }) =>
      outcome === 'won' ? 'The dispute was decided for the shop.' : 'The dispute was decided for the payer.',
    forBuyer: () => 'The dispute about your payment is over.',
  },
  RefundRecorded: {
    changes: ['analytics', 'reservations'],
    by: caller,
    text: ({ amountCents, reason }) => `${usd(amountCents)} refunded: ${refundTexts[reason]}.`,
    forBuyer: ({ amountCents }) => `${usd(amountCents)} was refunded to you.`,
  },
  PaymentWatchEnded: {
    changes: [],
    by: system,
    text: ({ attempt }) => `Payment ${attempt} is not watched any longer.`,
    forBuyer: () => 'The shop does not wait for this payment any longer.',
  },
  PaymentWatchHeldUp: {
    changes: [],
    by: system,
    text: () => HELD_UP,
    forBuyer: () => NEEDS_PERSON,
  },
  ReceiptUnusable: {
    changes: ['payments'],
    by: system,
    text: ({ why, news }) =>
      why === 'another-coin' ? strayTexts[news] : 'A receipt was shown that has paid another order.',
    forBuyer: ({ news }) => (news === 'gone' ? 'Money that came in another coin went back.' : NEEDS_PERSON),
  },
  OrderApproved: {
    changes: ['reservations'],
    by: caller,
    text: () => 'Approved by staff.',
    forBuyer: () => 'Approved by the shop.',
  },
  PreOrderReserved: {
    changes: ['reservations'],
    by: system,
    text: () => 'Coins for this pre-order are in stock.',
    forBuyer: () => 'The coins of your pre-order are in stock.',
  },
  OrderReady: {
    changes: [],
    by: system,
    text: () => 'The coins are ready to be handed over.',
    forBuyer: () => 'Your coins are ready to be handed over.',
  },
  DeliveryHeld: {
    changes: [],
    by: system,
    text: () => 'The buyer cannot be read, so the bot was not asked.',
    forBuyer: () => NEEDS_PERSON,
  },
  DeliveryRequested: {
    changes: [],
    by: system,
    text: () => 'The coins are being delivered.',
    forBuyer: () => 'Your coins are being delivered.',
  },
  DeliveryGivenUp: {
    changes: [],
    by: system,
    text: () => 'It is not known whether the coins were given.',
    forBuyer: () => NEEDS_PERSON,
  },
  DeliveredAfterEnd: {
    changes: [],
    by: system,
    text: () => 'It became known after the end that the coins were given.',
    forBuyer: () => NEEDS_PERSON,
  },
  OrderCompleted: {
    changes: ['analytics', 'reservations'],
    by: (_data, actor) => (actor === 'staff' ? 'staff' : 'system'),
    text: ({ quantityM }) => `Completed: ${millions(quantityM)} delivered.`,
    forBuyer: 'same',
  },
  OrderExpired: {
    changes: ['reservations'],
    by: system,
    text: () => 'Expired: it was not paid in time.',
    forBuyer: 'same',
  },
  OrderCancelled: { changes: ['reservations'], by: caller, text: () => 'Cancelled.', forBuyer: 'same' },
  OrderReinstated: {
    changes: ['reservations'],
    by: system,
    text: () => 'Paid late: the order is open again.',
    forBuyer: () => 'Your payment came late: the order is open again.',
  },
  ReinstatementRefused: {
    changes: [],
    by: system,
    text: () => 'Paid after it had ended, and it was not brought back.',
    forBuyer: () => NEEDS_PERSON,
  },
  AttentionSettled: {
    changes: [],
    by: caller,
    text: () => 'Settled by staff.',
    forBuyer: () => 'A person at the shop has looked at this order.',
  },
  OrderDeleted: {
    changes: ['analytics', 'reservations'],
    by: caller,
    text: () => 'Deleted by staff.',
    forBuyer: () => 'Deleted by the shop.',
  },
} as const satisfies Rows
const typedRows: Rows = rows

type TypeFor<View extends OtherView> = {
  [Type in keyof typeof rows]: View extends (typeof rows)[Type]['changes'][number] ? Type : never
}[keyof typeof rows]

/** The events of an order that change this view. */
export function orderTypesFor<View extends OtherView>(view: View): readonly TypeFor<View>[] {
  const all = Object.entries<Pick<Row<OrderEventType>, 'changes'>>(rows)
  return all.flatMap(([type, { changes }]) => (changes.includes(view) ? [type as TypeFor<View>] : []))
}

type ShownEvent<Type extends OrderEventType = OrderEventType> = {
  [Each in Type]: { readonly type: Each; readonly data: Data<Each>; readonly metadata: { readonly actor: Actor } }
}[Type]

export function actorOf<Type extends OrderEventType>({ type, data, metadata }: ShownEvent<Type>): Actor {
  return typedRows[type].by(data, metadata.actor)
}

export function orderEventText<Type extends OrderEventType>(
  { type, data }: ShownEvent<Type>,
  reader: 'staff' | 'buyer',
): string {
  const { text, forBuyer } = typedRows[type]
  return reader === 'staff' || forBuyer === 'same' ? text(data) : forBuyer(data)
}

export function isOrderEvent(event: LogEvent): event is RecordedEvent<OrderEvent> {
  return Object.hasOwn(orderEvents, event.type)
}

/** The domain's own order after this event; undefined until it is placed. */
export function orderAfter(order: PlacedOrder | undefined, event: RecordedEvent<OrderEvent>): PlacedOrder | undefined {
  const next = event.revision
  const after = evolve(order ? at(order, next) : { kind: 'none', next }, event)
  return after.kind === 'placed' ? after : undefined
}

/** The order's state before the event with this revision. */
function at(order: PlacedOrder, next: number): PlacedOrder {
  return order.next === next ? order : { ...order, next }
}

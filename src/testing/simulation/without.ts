import { isReceiptStream } from '../../domain/stream-names.ts'
import { fold } from '../../domain/decider.ts'
import { readOrder } from '../../shop/handle-order.ts'
import type { Caller, Shop } from '../../shop/shop.ts'
import type { InventoryEvent } from '../../domain/inventory/events.ts'
import {
  inventory as inventoryDecider,
  type Inventory,
  type InventoryCommand,
} from '../../domain/inventory/inventory.ts'
import {
  fateOf,
  heldSerial,
  isDeliveryUnknown,
  noOrder,
  type Order,
  outcomeOf,
  type PlacedOrder,
  readinessOf,
  type Stage,
  stageOf,
  waiting,
} from '../../domain/order/order-state.ts'
import { evolve as orderEvolve } from '../../domain/order/evolve.ts'
import { order as orderDecider } from '../../domain/order/order.ts'
import type { OrderCommand } from '../../domain/order/commands.ts'
import { WATCH_DAYS } from '../../domain/order/deadline.ts'
import { byMethod } from '../../domain/payment-methods.ts'
import type { AttentionReason, OrderEvent } from '../../domain/order/events.ts'
import type { DecidedEvent, EventLog, RecordedEvent } from '../../event-store/event-log.ts'
import type { KnownPayment, PaymentProvider, PaymentReport } from '../../payments/payment-provider.ts'
import type { CustomerKey, Vault } from '../../vault/vault.ts'
import { jobFor, numberOf, type Policy, textOf } from '../../workers/policy.ts'
import type { World } from './engines.ts'
import type { Ledger } from './ledger.ts'
import type { Thread } from './scheduler.ts'
import type { Shopping } from './shopping.ts'

/** A rule switched off, by what is put around the product; the product itself knows nothing of it. */
export interface Switch {
  readonly name: string
  /** The rule's number in the life of an order. */
  readonly rule: number | 'erasing'
  /** In worlds of this kind its disaster is found soonest. */
  readonly theme: string
  /** What comes of it. */
  readonly story: string
  parts(shop: Switched): Parts
}

interface Switched {
  readonly world: World
  readonly shopping: Shopping
  readonly ledger: Ledger
}

type Decide = (command: OrderCommand, order: Order) => OrderEvent[]
type Evolve = (order: Order, event: OrderEvent) => Order
type DecideStock = (command: InventoryCommand, inventory: Inventory) => InventoryEvent[]
type ChangeStock = Shop['hot']['changeStock']
type Histories = Shop['hot']['orders']

/** What is put in place of parts of the product; what is not named stays as it is. */
interface Parts {
  readonly decide?: (command: OrderCommand, order: PlacedOrder, decide: Decide) => OrderEvent[]
  readonly evolve?: (order: Order, event: OrderEvent, evolve: Evolve) => Order
  readonly inventory?: (command: InventoryCommand, inventory: Inventory, decide: DecideStock) => InventoryEvent[]
  readonly stock?: (
    command: InventoryCommand,
    forward: (command: InventoryCommand) => ReturnType<ChangeStock>,
    shop: Shop,
  ) => ReturnType<ChangeStock>
  readonly log?: (log: EventLog, thread: Thread) => Partial<EventLog>
  readonly vault?: (vault: Vault, shop: Shop, thread: Thread) => Partial<Vault>
  readonly orders?: (read: Histories['read'], orderId: string, thread: Thread) => ReturnType<Histories['read']>
  readonly checks?: (report: PaymentReport, payment: KnownPayment, shop: Shop, thread: Thread) => PaymentReport
  /** By the name of the policy. */
  readonly policies?: Readonly<Record<string, (policy: Policy, shop: Shop) => Partial<Policy>>>
  /** What the actors do otherwise. */
  readonly shopping?: Partial<
    Pick<
      Shopping,
      'answersOwnPayment' | 'dawdlesBeforeCalls' | 'settlesUnseen' | 'refundsUnseen' | 'trustsOldViews' | 'wrapKnown'
    >
  >
}

type Changed<Name extends keyof Parts> = NonNullable<Parts[Name]>

/** Puts the parts in; returns what takes those of the deciders out again. */
export function switchOff(off: Switch, switched: Switched): () => void {
  const { policies = {}, shopping, ...parts } = off.parts(switched)
  Object.assign(switched.shopping, shopping)
  switched.shopping.wrapShop = (shop, thread) => shopOf(parts, shop, thread)
  switched.shopping.wrapPolicies = (all, shop) =>
    all.map((policy) => ({ ...policy, ...policies[policy.name]?.(policy, shop) }))
  const decide: Decide = orderDecider.decide.bind(orderDecider)
  const evolve: Evolve = orderDecider.evolve.bind(orderDecider)
  const decideStock: DecideStock = inventoryDecider.decide.bind(inventoryDecider)
  orderDecider.decide = (command, order) =>
    parts.decide && order.kind === 'placed' ? parts.decide(command, order, decide) : decide(command, order)
  if (parts.evolve) orderDecider.evolve = (order, event) => parts.evolve?.(order, event, evolve) ?? order
  if (parts.inventory)
    inventoryDecider.decide = (command, inventory) => parts.inventory?.(command, inventory, decideStock) ?? []
  return () => {
    Object.assign(orderDecider, { decide, evolve })
    Object.assign(inventoryDecider, { decide: decideStock })
  }
}

function shopOf({ log, vault, orders, checks, stock }: Parts, shop: Shop, thread: Thread): Shop {
  const wrapped = (provider: PaymentProvider): PaymentProvider => ({
    ...provider,
    check: async (payment) => checked(await provider.check(payment), payment),
  })
  const checked = (report: PaymentReport, payment: KnownPayment) => checks?.(report, payment, shop, thread) ?? report
  const { hot } = shop
  return {
    ...shop,
    log: { ...shop.log, ...log?.(shop.log, thread) },
    vault: { ...shop.vault, ...vault?.(shop.vault, shop, thread) },
    providers: checks ? byMethod((method) => shop.providers[method].map(wrapped)) : shop.providers,
    hot: {
      ...hot,
      orders: orders
        ? { ...hot.orders, read: (orderId) => orders((id) => hot.orders.read(id), orderId, thread) }
        : hot.orders,
      changeStock: (command, caller) => {
        let turn = 0
        const forward = (other: InventoryCommand): ReturnType<ChangeStock> => {
          turn += 1
          return hot.changeStock(other, turn === 1 ? caller : { ...caller, requestId: `${caller.requestId}/${turn}` })
        }
        return stock ? stock(command, forward, shop) : hot.changeStock(command, caller)
      },
    },
  }
}

const WATCH_MS = WATCH_DAYS * 86_400_000

/** The same events, without raising this cause. */
function withoutCause(events: OrderEvent[], cause: AttentionReason): OrderEvent[] {
  return events.flatMap((event): OrderEvent[] => {
    if (event.type !== 'OrderNeedsAttention') return [event]
    const reasons = event.data.reasons.filter((reason) => reason !== cause)
    return reasons.length === 0 ? [] : [{ ...event, data: { ...event.data, reasons } }]
  })
}

/** Asks the decider about an order that is not quite the one there is. */
function seeing(changed: (order: PlacedOrder) => PlacedOrder, ...types: OrderCommand['type'][]): Changed<'decide'> {
  return (command, order, decide) => decide(command, types.includes(command.type) ? changed(order) : order)
}

function withStage(order: PlacedOrder, stage: Stage): PlacedOrder {
  return order.life.kind === 'open' ? { ...order, life: { ...order.life, stage } } : order
}

/** An order in this stage as if it were not. */
function notIn(kind: Stage['kind']): (order: PlacedOrder) => PlacedOrder {
  return (order) => (stageOf(order).kind === kind ? withStage(order, waiting) : order)
}

/** The sweep takes every order for a candidate. */
function everyOrder({ ledger }: Switched, name: string): Partial<Policy> {
  return { due: async () => [...ledger.orders.keys()].map((orderId) => jobFor(name, { orderId }, orderId)) }
}

interface Reservation {
  readonly orderId: string
  readonly claimAt: number
  readonly serial: number
}

/** Another way to end an abandoned reservation. */
function endingBy(end: (order: Order, reservation: Reservation) => 'as-it-is' | 'stay' | 'commit' | 'release') {
  return (policy: Policy, shop: Shop): Partial<Policy> => ({
    async run(job, caller: Caller) {
      const reservation = {
        orderId: textOf(job, 'orderId'),
        claimAt: numberOf(job, 'claimAt'),
        serial: numberOf(job, 'serial'),
      }
      const { state } = await readOrder(shop, reservation.orderId)
      const fate = end(state, reservation)
      if (fate === 'as-it-is') return policy.run(job, caller)
      if (fate === 'stay') return undefined
      const type = fate === 'commit' ? 'CommitStock' : 'ReleaseStock'
      const at = new Date(shop.clock.now()).toISOString()
      await shop.hot.changeStock({ type, serial: reservation.serial, at }, caller)
      return undefined
    },
  })
}

function byOrder(switched: Switched, type: 'ReleaseStock' | 'CommitStock'): Changed<'stock'> {
  return async (command, forward, shop) => {
    if (command.type !== type) return forward(command)
    const orderId = switched.ledger.reservations.get(command.serial)?.orderId ?? ''
    await shop.hot.inventory.refresh()
    let written = await forward(command)
    for (const serial of shop.hot.inventory.state.serialsOf.get(orderId) ?? [])
      written = await forward({ ...command, serial })
    return written
  }
}

const silent: PaymentReport = { status: 'waiting', amountPaid: null, receipts: [] }

export const switches: readonly Switch[] = [
  {
    name: 'ids-from-the-request',
    rule: 7,
    theme: 'one key, many requests',
    story: 'event ids come from the idempotency key: another body gets a 201 by the engine’s own idempotency',
    parts: () => ({
      log: (log) => ({
        append: (stream, expected, events) => log.append(stream, expected, events.map(idFromKey)),
      }),
    }),
  },
  {
    name: 'release-by-serial',
    rule: 8,
    theme: 'late money',
    story: 'stock is released by order: an old release takes the coins of a newer claim',
    parts: (switched) => ({ stock: byOrder(switched, 'ReleaseStock') }),
  },
  {
    name: 'commit-by-serial',
    rule: 9,
    theme: 'reserved again and again',
    story: 'stock is committed by order: a slow twin’s second reservation is sold too',
    parts: (switched) => ({ stock: byOrder(switched, 'CommitStock') }),
  },
  {
    name: 'order-ends-first',
    rule: 10,
    theme: 'late money',
    story: 'expiry releases the coins before the order ends: money comes in between, and nothing is held for it',
    parts: () => ({
      policies: {
        'expire-unpaid-orders': (policy, shop) => ({
          async run(job, caller) {
            const { state } = await readOrder(shop, textOf(job, 'orderId'))
            const at = new Date(shop.clock.now()).toISOString()
            const serial = state.kind === 'placed' && at > state.expiresAt ? heldSerial(state) : undefined
            if (serial !== undefined) await shop.hot.changeStock({ type: 'ReleaseStock', serial, at }, caller)
            await policy.run(job, caller)
          },
        }),
      },
    }),
  },
  {
    name: 'fence',
    rule: 11,
    theme: 'one key, slow requests',
    story: 'the sweep releases without a fence: a slow buyer’s claim names coins that are free again',
    parts: () => ({
      policies: {
        'end-abandoned-reservations': endingBy((order, reservation) =>
          fateOf(order, reservation) === 'fence' ? 'release' : 'as-it-is',
        ),
      },
    }),
  },
  {
    name: 'release-behind-a-fence',
    rule: 11,
    theme: 'anything',
    story: 'only its own fence lets the sweep release: a crash between the two leaves a reservation for ever',
    parts: () => ({
      policies: {
        'end-abandoned-reservations': endingBy((order, { claimAt }) =>
          order.next > claimAt && order.kind === 'none' ? 'stay' : 'as-it-is',
        ),
      },
    }),
  },
  {
    name: 'stays-while-held',
    rule: 11,
    theme: 'reserved again and again',
    story: 'a claimed reservation stays whatever its order holds: one that a crash left is reserved for ever',
    parts: () => ({
      policies: {
        'end-abandoned-reservations': endingBy((order, { serial }) =>
          order.kind === 'placed' && order.claims.some((claim) => claim.serial === serial) ? 'stay' : 'as-it-is',
        ),
      },
    }),
  },
  {
    name: 'committed-only-if-held',
    rule: 11,
    theme: 'pre-orders',
    story: 'every claim of a completed order is committed: coins are written off that nobody got',
    parts: () => ({
      policies: {
        'end-abandoned-reservations': endingBy((order, { serial }) =>
          order.kind === 'placed' &&
          outcomeOf(order) === 'completed' &&
          order.claims.some((claim) => claim.serial === serial)
            ? 'commit'
            : 'as-it-is',
        ),
      },
    }),
  },
  {
    name: 'own-coins-first',
    rule: 12,
    theme: 'the last coins, paid late',
    story: 'what an earlier claim held is not given back: an order is refused for lack of its own coins',
    parts: () => ({
      stock: (command, forward) =>
        forward(command.type === 'ReserveStock' ? { ...command, outdatedSerials: [] } : command),
    }),
  },
  {
    name: 'never-an-unclaimed-one',
    rule: 12,
    theme: 'one key, slow requests',
    story: 'reserving again releases what another process is about to claim: sold twice',
    parts: (switched) => ({
      inventory: (command, inventory, decide) => {
        if (command.type !== 'ReserveStock') return decide(command, inventory)
        const serials = inventory.serialsOf.get(command.orderId) ?? []
        const held = switched.ledger.orders.get(command.orderId)?.held
        const unclaimed = serials.filter((serial) => serial !== held)
        const outdatedSerials = [...new Set([...command.outdatedSerials, ...unclaimed])]
        return decide({ ...command, outdatedSerials }, inventory)
      },
    }),
  },
  {
    name: 'recorded-payment-answered',
    rule: 13,
    theme: 'anything',
    story: 'a second call answers its own payment, not the recorded one: it is paid, and nobody knows it',
    parts: () => ({ shopping: { answersOwnPayment: true } }),
  },
  {
    name: 'every-payment-is-watched',
    rule: 15,
    theme: 'anything',
    story: 'only the payment in use is asked about: money that came by the former method is lost',
    parts: (switched) => ({
      checks: (report, payment, _shop, thread) => {
        const row = switched.shopping.rowOf(payment.reference)
        const isAsked = row?.row.status === 'pending' && row.attempt === row.row.attempts.length
        return isAsked || !isPoll(thread) ? report : silent
      },
    }),
  },
  {
    name: 'last-look-after-the-deadline',
    rule: 15,
    theme: 'old news',
    story: 'the watch ends by the clock alone: the shop was down when it passed, and money that came before is lost',
    parts: (switched) => ({
      checks: (report, payment, shop) => {
        const endedAt = switched.shopping.rowOf(payment.reference)?.row.endedAt
        return endedAt !== undefined && shop.clock.now() >= Date.parse(endedAt) + WATCH_MS ? silent : report
      },
    }),
  },
  {
    name: 'a-receipt-pays-one-order',
    rule: 16,
    theme: 'shared receipts',
    story: 'receipts are not claimed: one pays two orders',
    parts: () => ({
      log: (log, thread) => {
        const own = (stream: string): string =>
          isReceiptStream(stream) ? `${stream}-${(thread.name.match(/[0-9a-z]+/g) ?? []).join('')}` : stream
        return {
          append: (stream, expected, events) => log.append(own(stream), expected, events),
          readStream: (stream, from, limit) => log.readStream(own(stream), from, limit),
        }
      },
    }),
  },
  {
    name: 'claims-are-finished',
    rule: 16,
    theme: 'news after the watch',
    story: 'no sweep finishes receipts: a crash after the claim leaves money that no order recorded',
    parts: () => ({ policies: { 'finish-receipts': () => ({ due: async () => [] }) } }),
  },
  {
    name: 'news-goes-to-the-owner',
    rule: 17,
    theme: 'shared receipts',
    story: 'news of a refused receipt stays with the order that was refused it: a reversal is lost',
    parts: (switched) => ({
      orders: async (read, orderId, thread) => {
        const own = switched.shopping.orderOf(thread)
        const history = await read(orderId)
        if (own === undefined || orderId === own || history.order.kind === 'none') return history
        return { ...history, order: { ...history.order, attempts: [] } }
      },
    }),
  },
  {
    name: 'every-transfer-is-asked-for',
    rule: 14,
    theme: 'coins in every way',
    story: 'only the payment that was opened is asked for: a later transfer to its address pays no order',
    parts: () => ({
      checks: (report, { paymentId }) => ({
        ...report,
        receipts: report.receipts.filter(({ receiptId }) => receiptId === paymentId),
      }),
    }),
  },
  {
    name: 'nothing-delivered-after-a-reversal',
    rule: 20,
    theme: 'deliveries',
    story: 'a reversal is forgotten: an order whose money went back is delivered',
    parts: () => ({
      evolve: (order, event, evolve) => {
        const after = evolve(order, event)
        if (after.kind === 'none' || after.life.kind !== 'open' || !after.wasReversed) return after
        return { ...after, life: { ...after.life, isApproved: true } }
      },
    }),
  },
  {
    name: 'disputed-before-received',
    rule: 20,
    theme: 'disputes',
    story: 'a dispute waits for its money to be recorded: that delivers the order before the dispute is known',
    parts: () => ({
      decide: (command, order, decide) => {
        const isEarly =
          command.type === 'NoteDispute' && !order.receipts.some(({ receiptId }) => receiptId === command.receiptId)
        return isEarly ? [] : decide(command, order)
      },
    }),
  },
  {
    name: 'capture-only-what-is-approved',
    rule: 21,
    theme: 'captures',
    story: 'a capture is asked for before the payer agreed: the order is busy, and staff look for money that never was',
    parts: () => ({
      checks: (report, _payment, _shop, thread) =>
        report.status === 'waiting' && thread.name.includes('capture') ? { ...report, status: 'approved' } : report,
    }),
  },
  {
    name: 'nothing-ends-while-capturing',
    rule: 22,
    theme: 'captures',
    story: 'an order ends while its capture is open: money is taken for an order that is gone',
    parts: () => ({
      decide: seeing(notIn('capturing'), 'CancelOrder', 'DeleteOrder', 'ApproveOrder', 'ExpireOrder', 'ReceivePayment'),
    }),
  },
  {
    name: 'capture-given-up-late',
    rule: 23,
    theme: 'captures',
    story: 'a capture is given up while a call may still arrive: money is taken for an order that has ended',
    parts: () => ({
      decide: (command, order, decide) =>
        decide(command.type === 'GiveUpCapture' ? { ...command, at: later(command.at) } : command, order),
    }),
  },
  {
    name: 'read-before-each-call',
    rule: 26,
    theme: 'deliveries',
    story: 'the call is made without looking at the order again: delivered although the money went back',
    parts: () => ({
      orders: async (read, orderId, thread) => {
        const history = await read(orderId)
        if (!thread.name.includes('deliver-paid')) return history
        const events = history.events.map(withoutReversal)
        return { events, order: fold({ initial: noOrder, evolve: orderEvolve }, events) }
      },
    }),
  },
  {
    name: 'clock-last-before-each-call',
    rule: 26,
    theme: 'unknown deliveries',
    story: 'between the look at the clock and the call something takes time: coins are given when the delivery is over',
    parts: () => ({ shopping: { dawdlesBeforeCalls: true } }),
  },
  {
    name: 'mode-stays-with-the-order',
    rule: 26,
    theme: 'changing modes',
    story: 'the configuration decides, not the mode of the order: the bot is called for what staff have handed over',
    parts: (switched) => ({
      policies: { 'deliver-paid-orders': ({ name }) => everyOrder(switched, name) },
      orders: async (read, orderId, { deliveryMode }) => {
        const history = await read(orderId)
        const { order } = history
        if (order.kind === 'none' || deliveryMode === 'instant') return history
        const stage = stageOf(order)
        if (stage.kind !== 'ready' && !(stage.kind === 'delivering' && stage.ready)) return history
        return { ...history, order: withStage(order, { ...stage, ready: { ...stage.ready, deliveryMode } } as Stage) }
      },
    }),
  },
  {
    name: 'question-before-leaving-the-list',
    rule: 27,
    theme: 'handing over by hand',
    story:
      'a reversal takes an order from the list of staff and asks nothing: it expires, and its coins are sold again',
    parts: () => ({
      decide: (command, order, decide) =>
        decide(command, command.type === 'ReversePayment' ? notIn('ready')(order) : order),
    }),
  },
  {
    name: 'nothing-ends-while-delivering',
    rule: 27,
    theme: 'unknown deliveries',
    story: 'an order is deleted while its delivery is open: coins are given that are sold again',
    parts: () => ({ decide: seeing(notIn('delivering'), 'CancelOrder', 'DeleteOrder', 'ApproveOrder', 'ExpireOrder') }),
  },
  {
    name: 'never-delivered-again-unasked',
    rule: 27,
    theme: 'unknown deliveries',
    story: 'a delivery whose end is unknown is called for again: given twice',
    parts: (switched) => ({
      policies: { 'deliver-paid-orders': ({ name }) => everyOrder(switched, name) },
      evolve: (order, event, evolve) => {
        const after = evolve(order, event)
        if (after.kind !== 'placed' || !isDeliveryUnknown(after)) return after
        const ready = order.kind === 'placed' ? readinessOf(order) : undefined
        return withStage(after, ready ? { kind: 'ready', ready } : waiting)
      },
    }),
  },
  {
    name: 'attention-in-the-same-append',
    rule: 28,
    theme: 'staff and money',
    story: 'attention is raised by an append of its own: a crash in between, and nobody is told',
    parts: () => ({
      log: (log) => ({
        async append(stream, expected, events) {
          const cause = events.findIndex(({ event }) => event.type === 'OrderNeedsAttention')
          if (cause <= 0) return log.append(stream, expected, events)
          const { revision } = await log.append(stream, expected, events.slice(0, cause))
          return log.append(stream, revision, events.slice(cause))
        },
      }),
    }),
  },
  {
    name: 'settled-as-seen',
    rule: 28,
    theme: 'staff and money',
    story: 'attention is settled whatever has come since: a second payment is settled unseen',
    parts: () => ({ shopping: { settlesUnseen: true } }),
  },
  {
    name: 'seen-money-is-told',
    rule: 15,
    theme: 'money that is only seen',
    story: 'no cause of seen money is raised: an order ends, or has ended, and its money is only seen: nobody is told',
    parts: () => ({ decide: (command, order, decide) => withoutCause(decide(command, order), 'never-confirmed') }),
  },
  {
    name: 'undone-reversal-is-heard',
    rule: 20,
    theme: 'money that is only seen',
    story: 'a reversal that is undone is never heard: money that is there counts as gone',
    parts: () => ({
      decide: (command, order, decide) => {
        const events = decide(command, order)
        return events.some((event) => event.type === 'PaymentReversed' && event.data.takenCents < 0) ? [] : events
      },
    }),
  },
  {
    name: 'given-after-the-end-is-not-asked-for',
    rule: 27,
    theme: 'late answers after a refund',
    story: 'an approval asks the bot for coins that it gave after the end: given twice',
    parts: () => ({
      decide: seeing(
        (order) => (order.holding.kind === 'given-after-end' ? { ...order, holding: { kind: 'none' } } : order),
        'ApproveOrder',
      ),
    }),
  },
  {
    name: 'reported-refund-adds-nothing',
    rule: 32,
    theme: 'refunds',
    story: 'the provider reports the refund that staff have noted, and it counts again: more money is gone than came',
    parts: () => ({ decide: seeing((order) => ({ ...order, refunds: [] }), 'ReversePayment') }),
  },
  {
    name: 'refunded-as-seen',
    rule: 32,
    theme: 'refunds',
    story: 'a refund is noted whatever has come since: staff saw other money than what they paid back of',
    parts: () => ({ shopping: { refundsUnseen: true } }),
  },
  {
    name: 'detached-first',
    rule: 'erasing',
    theme: 'ordering while being erased',
    story: 'the e-mail is detached last: an order is placed under a key that is about to go',
    parts: () => ({ vault: detachedLast }),
  },
  {
    name: 'claims-are-waited-for',
    rule: 'erasing',
    theme: 'ordering while being erased',
    story: 'nobody waits for orders that are being placed: one is claimed under a key that is gone',
    parts: () => ({ shopping: { wrapKnown: (known) => ({ ...known, unclaimedReservations: async () => [] }) } }),
  },
  {
    name: 'key-read-behind-the-reservation',
    rule: 'erasing',
    theme: 'ordering while being erased',
    story: 'the key is read before the coins are reserved, and not again: an order is placed under a key that is gone',
    parts: () => ({
      vault: (vault) => {
        const known = new Map<string, CustomerKey>()
        return {
          async customerByEmail(emailHmac, candidate) {
            const first = known.get(emailHmac) ?? (await vault.customerByEmail(emailHmac, candidate))
            known.set(emailHmac, first)
            return first
          },
        }
      },
    }),
  },
  {
    name: 'orders-from-a-caught-up-view',
    rule: 'erasing',
    theme: 'erasing',
    story: 'the view is asked as it is: an order that it has not seen is left without its buyer',
    parts: () => ({ shopping: { trustsOldViews: true } }),
  },
  {
    name: 'orders-are-looked-at',
    rule: 'erasing',
    theme: 'erasing',
    story: 'nobody asks which orders still need their buyer: an open one is left without',
    parts: () => ({ shopping: { wrapKnown: (known) => ({ ...known, orderIdsOf: async () => [] }) } }),
  },
  {
    name: 'the-last-eraser-decides',
    rule: 'erasing',
    theme: 'ordering while being erased',
    story: 'two erase the same person: one gives it up, and the other erases who is ordering again by now',
    parts: (switched) => ({
      vault: (vault) => ({
        detachEmail: async (customerId, { at }) => vault.detachEmail(customerId, { erasureId: 'any', at }),
        attachEmail: async (customerId) => vault.attachEmail(customerId, 'any'),
        async decideErasure(customerId) {
          const at = switched.world.scheduler.nowMs
          return (
            (await vault.detachEmail(customerId, { erasureId: 'any', at })) && vault.decideErasure(customerId, 'any')
          )
        },
      }),
    }),
  },
  {
    name: 'erased-in-the-log-first',
    rule: 'erasing',
    theme: 'erasing',
    story:
      'the key goes before the log knows: after a crash in between an older copy of the vault brings the person back',
    parts: () => ({
      vault: (vault) => ({
        async decideErasure(customerId, erasureId) {
          const isDecided = await vault.decideErasure(customerId, erasureId)
          if (isDecided) await vault.deleteCustomers([customerId])
          return isDecided
        },
      }),
    }),
  },
  {
    name: 'none-comes-back-without-its-buyer',
    rule: 'erasing',
    theme: 'money for erased persons',
    story:
      'late money or staff bring an order back to life: its buyer is erased, and nobody knows whom to give the coins to',
    parts: () => ({
      vault: (vault, _shop, { name }) => {
        if (!name.includes('reinstate') && !name.includes('staff-approve')) return {}
        return {
          keysOf: async (ids) => new Map([...(await vault.keysOf(ids)).keys()].map((id) => [id, new Uint8Array(32)])),
          detached: async () => [],
        }
      },
    }),
  },
  {
    name: 'erasures-are-finished',
    rule: 'erasing',
    theme: 'erasing',
    story: 'no sweep finishes what a crash has left: a person is erased by half for ever',
    parts: () => ({ policies: { 'finish-erasures': () => ({ due: async () => [] }) } }),
  },
]

function detachedLast(vault: Vault, shop: Shop): Partial<Vault> {
  return {
    detachEmail: async (customerId) => (await vault.keysOf([customerId])).get(customerId) instanceof Uint8Array,
    attachEmail: async () => true,
    decideErasure: async (customerId, erasureId) =>
      (await vault.detachEmail(customerId, { erasureId, at: shop.clock.now() })) &&
      vault.decideErasure(customerId, erasureId),
  }
}

function idFromKey({ event, caller }: DecidedEvent): DecidedEvent {
  return event.type === 'OrderPlaced'
    ? { event, caller: { ...caller, requestId: `key/${event.data.orderId}` } }
    : { event, caller }
}

function withoutReversal(event: RecordedEvent<OrderEvent>): RecordedEvent<OrderEvent> {
  if (event.type !== 'PaymentReversed') return event
  const { orderId, at } = event.data
  return { ...event, type: 'OrderAbandoned', data: { orderId, serial: 1, at } }
}

function isPoll(thread: Thread): boolean {
  return thread.name.includes('check-payments') || !thread.name.includes('.')
}

function later(at: string): string {
  return new Date(Date.parse(at) + 60_000).toISOString()
}

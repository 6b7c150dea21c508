import { readFileSync } from 'node:fs'
import { isReceiptStream } from '../src/domain/stream-names.ts'
import { readOrder } from '../src/shop/handle-order.ts'
import { historyOf, type KnownEvent } from '../src/shop/hot/order-histories.ts'
import type { Caller, CommandContext } from '../src/shop/command-context.ts'
import type { InventoryCommand } from '../src/domain/inventory/inventory.ts'
import {
  fateOf,
  heldSerial,
  type OrderState,
  outcomeOf,
  type PlacedOrder,
  type Stage,
  stageOf,
} from '../src/domain/order/order-state.ts'
import { WATCH_DAYS } from '../src/domain/order/deadline.ts'
import { byMethod } from '../src/domain/payment-methods.ts'
import type { DecidedEvent, EventLog } from '../src/log/event-log.ts'
import type { KnownPayment, PaymentProvider, PaymentReport, RefundOrder } from '../src/payments/payment-provider.ts'
import type { CustomerKey, Vault } from '../src/engines/vault/vault.ts'
import { jobFor, jobNumber, type Policy, jobText } from '../src/workers/policy.ts'
import type { World } from './engines.ts'
import type { Ledger } from './ledger.ts'
import type { Thread } from './scheduler.ts'
import { ID_COMPARED } from './sent-refunds.ts'
import type { Shopping } from './shopping.ts'

/** Switches a rule off by wrapping parts of the product, which does not know about it. rules.txt names the harm. */
export interface Switch {
  readonly name: string
  /** The rule's number in the life of an order. */
  readonly rule: string
  /** The theme and the first seed that show the harm. */
  readonly theme: string
  readonly seed: number
  parts(shop: Switched): Parts
}

interface Switched {
  readonly world: World
  readonly shopping: Shopping
  readonly ledger: Ledger
}

type ChangeStock = CommandContext['hot']['changeStock']
type Histories = CommandContext['hot']['orders']

/** Replacements for parts of the product. */
interface Parts {
  readonly stock?: (
    command: InventoryCommand,
    forward: (command: InventoryCommand) => ReturnType<ChangeStock>,
    shop: CommandContext,
  ) => ReturnType<ChangeStock>
  readonly log?: (log: EventLog, thread: Thread) => Partial<EventLog>
  readonly vault?: (vault: Vault, shop: CommandContext, thread: Thread) => Partial<Vault>
  readonly orders?: (read: Histories['read'], orderId: string, thread: Thread) => ReturnType<Histories['read']>
  readonly refunds?: (refund: RefundOrder) => RefundOrder
  readonly checks?: (
    report: PaymentReport,
    payment: KnownPayment,
    shop: CommandContext,
    thread: Thread,
  ) => PaymentReport
  /** By policy name. */
  readonly policies?: Readonly<Record<string, (policy: Policy, shop: CommandContext) => Partial<Policy>>>
  /** Changes to the actors. */
  readonly shopping?: Partial<
    Pick<
      Shopping,
      | 'answersOwnPayment'
      | 'asksNow'
      | 'dawdlesBeforeCalls'
      | 'settlesUnseen'
      | 'refundsUnseen'
      | 'trustsOldViews'
      | 'wrapKnown'
    >
  >
}

type Changed<Name extends keyof Parts> = NonNullable<Parts[Name]>

/** Installs the replacements. */
export function switchOff(off: Switch, switched: Switched): void {
  const { policies = {}, shopping, ...parts } = off.parts(switched)
  Object.assign(switched.shopping, shopping)
  switched.shopping.wrapShop = (shop, thread) => shopOf(parts, shop, thread)
  switched.shopping.wrapPolicies = (all, shop) =>
    all.map((policy) => ({ ...policy, ...policies[policy.name]?.(policy, shop) }))
}

function shopOf(
  { log, vault, orders, checks, refunds, stock }: Parts,
  shop: CommandContext,
  thread: Thread,
): CommandContext {
  const wrapped = (provider: PaymentProvider): PaymentProvider => ({
    ...provider,
    check: async (payment) => checked(await provider.check(payment), payment),
    ...(provider.refund && {
      refund: async (payment, refund) => provider.refund?.(payment, refunds?.(refund) ?? refund) ?? Promise.reject(),
    }),
  })
  const checked = (report: PaymentReport, payment: KnownPayment) => checks?.(report, payment, shop, thread) ?? report
  const { hot } = shop
  return {
    ...shop,
    log: { ...shop.log, ...log?.(shop.log, thread) },
    vault: { ...shop.vault, ...vault?.(shop.vault, shop, thread) },
    providers: (checks ?? refunds) ? byMethod((method) => shop.providers[method].map(wrapped)) : shop.providers,
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

function withStage(order: PlacedOrder, stage: Stage): PlacedOrder {
  return order.life.kind === 'open' ? { ...order, life: { ...order.life, stage } } : order
}

/** Makes every order a candidate of the sweep. */
function everyOrder({ ledger }: Switched, name: string): Partial<Policy> {
  return { due: async () => [...ledger.orders.keys()].map((orderId) => jobFor(name, { orderId }, orderId)) }
}

interface Reservation {
  readonly orderId: string
  readonly claimAt: number
  readonly serial: number
}

/** Ends an abandoned reservation in another way. */
function endingBy(
  end: (order: OrderState, reservation: Reservation) => 'as-it-is' | 'stay' | 'commit' | 'release',
): Parts {
  const ending = (policy: Policy, shop: CommandContext): Partial<Policy> => ({
    async run(job, caller: Caller) {
      const reservation = {
        orderId: jobText(job, 'orderId'),
        claimAt: jobNumber(job, 'claimAt'),
        serial: jobNumber(job, 'serial'),
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
  return { policies: { 'end-abandoned-reservations': ending } }
}

function neverDue(policy: string): Parts {
  return { policies: { [policy]: () => ({ due: async () => [] }) } }
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

/** Rows of rules.txt. A change of the product may move the seeds; `npm run simulate -- --without all` finds them again. */
export const rules = readFileSync(new URL('rules.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((row) => row.split(/ {2,}/))

function off(name: string, parts: Switch['parts']): Switch {
  const [rule = '', , theme = '', seed] = rules.find((row) => row[1] === name) ?? []
  return { rule, name, theme, seed: Number(seed), parts }
}

export const switches: readonly Switch[] = [
  off('ids-from-the-request', () => ({
    log: (log) => ({
      append: (stream, expected, events) => log.append(stream, expected, events.map(idFromKey)),
    }),
  })),
  off('release-by-serial', (switched) => ({ stock: byOrder(switched, 'ReleaseStock') })),
  off('commit-by-serial', (switched) => ({ stock: byOrder(switched, 'CommitStock') })),
  off('order-ends-first', () => ({
    policies: {
      'expire-unpaid-orders': (policy, shop) => ({
        async run(job, caller) {
          const { state } = await readOrder(shop, jobText(job, 'orderId'))
          const at = new Date(shop.clock.now()).toISOString()
          const serial = state.kind === 'placed' && at > state.expiresAt ? heldSerial(state) : undefined
          if (serial !== undefined) await shop.hot.changeStock({ type: 'ReleaseStock', serial, at }, caller)
          await policy.run(job, caller)
        },
      }),
    },
  })),
  off('fence', () =>
    endingBy((order, reservation) => (fateOf(order, reservation) === 'fence' ? 'release' : 'as-it-is')),
  ),
  off('release-behind-a-fence', () =>
    endingBy((order, { claimAt }) => (order.next > claimAt && order.kind === 'none' ? 'stay' : 'as-it-is')),
  ),
  off('stays-while-held', () =>
    endingBy((order, { serial }) =>
      order.kind === 'placed' && order.claims.some((claim) => claim.serial === serial) ? 'stay' : 'as-it-is',
    ),
  ),
  off('committed-only-if-held', () =>
    endingBy((order, { serial }) =>
      order.kind === 'placed' &&
      outcomeOf(order) === 'completed' &&
      order.claims.some((claim) => claim.serial === serial)
        ? 'commit'
        : 'as-it-is',
    ),
  ),
  off('own-coins-first', () => ({
    stock: (command, forward) =>
      forward(command.type === 'ReserveStock' ? { ...command, outdatedSerials: [] } : command),
  })),
  off('never-an-unclaimed-one', ({ ledger }) => ({
    stock: async (command, forward, shop) => {
      if (command.type !== 'ReserveStock') return forward(command)
      await shop.hot.inventory.refresh()
      const serials = shop.hot.inventory.state.serialsOf.get(command.orderId) ?? []
      const unclaimed = serials.filter((serial) => serial !== ledger.orders.get(command.orderId)?.held)
      return forward({ ...command, outdatedSerials: [...new Set([...command.outdatedSerials, ...unclaimed])] })
    },
  })),
  off('recorded-payment-answered', () => ({ shopping: { answersOwnPayment: true } })),
  off('every-payment-is-watched', (switched) => ({
    checks: (report, payment, _shop, thread) => {
      const row = switched.shopping.rowOf(payment.reference)
      const isAsked = row?.row.status === 'pending' && row.attempt === row.row.attempts.length
      return isAsked || !isPoll(thread) ? report : silent
    },
  })),
  off('last-look-after-the-deadline', (switched) => ({
    checks: (report, payment, shop) => {
      const endedAt = switched.shopping.rowOf(payment.reference)?.row.endedAt
      return endedAt !== undefined && shop.clock.now() >= Date.parse(endedAt) + WATCH_MS ? silent : report
    },
  })),
  off('a-receipt-pays-one-order', () => ({
    log: (log, thread) => {
      const own = (stream: string): string =>
        isReceiptStream(stream) ? `${stream}-${(thread.name.match(/[0-9a-z]+/g) ?? []).join('')}` : stream
      return {
        append: (stream, expected, events) => log.append(own(stream), expected, events),
        readStream: (stream, from, limit) => log.readStream(own(stream), from, limit),
      }
    },
  })),
  off('claims-are-finished', () => neverDue('finish-receipts')),
  off('every-transfer-is-asked-for', () => ({
    checks: (report, { paymentId }) => ({
      ...report,
      receipts: report.receipts.filter(({ receiptId }) => receiptId === paymentId),
    }),
  })),
  off('capture-only-what-is-approved', () => ({
    checks: (report, _payment, _shop, thread) =>
      report.status === 'waiting' && thread.name.includes('capture') ? { ...report, status: 'approved' } : report,
  })),
  off('read-before-each-call', () => ({
    orders: async (read, orderId, thread) => {
      const history = await read(orderId)
      if (!thread.name.includes('deliver-paid')) return history
      return historyOf(history.events.map(withoutReversal))
    },
  })),
  off('clock-last-before-each-call', () => ({ shopping: { dawdlesBeforeCalls: true } })),
  off('mode-stays-with-the-order', (switched) => ({
    policies: { 'deliver-paid-orders': ({ name }) => everyOrder(switched, name) },
    orders: async (read, orderId, { deliveryMode }) => {
      const history = await read(orderId)
      const { order } = history
      if (order.kind === 'none' || deliveryMode === 'instant') return history
      const stage = stageOf(order)
      if (stage.kind !== 'ready' && !(stage.kind === 'delivering' && stage.ready)) return history
      return { ...history, order: withStage(order, { ...stage, ready: { ...stage.ready, deliveryMode } } as Stage) }
    },
  })),
  off('settled-as-seen', () => ({ shopping: { settlesUnseen: true } })),
  off('old-failure-takes-nothing', () => ({ shopping: { asksNow: true } })),
  off('refunded-as-seen', () => ({ shopping: { refundsUnseen: true } })),
  off('refund-under-its-id', () => {
    let calls = 0
    return {
      refunds: (refund) => {
        calls += 1
        return { ...refund, refundId: `${refund.refundId.slice(0, ID_COMPARED)}${calls}` }
      },
    }
  }),
  off('detached-first', () => ({ vault: detachedLast })),
  off('claims-are-waited-for', () => ({
    shopping: { wrapKnown: (known) => ({ ...known, unclaimed: async () => [] }) },
  })),
  off('key-read-behind-the-reservation', () => ({
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
  })),
  off('orders-from-a-caught-up-view', () => ({ shopping: { trustsOldViews: true } })),
  off('orders-are-looked-at', () => ({
    shopping: { wrapKnown: (known) => ({ ...known, orderIdsOf: async () => [] }) },
  })),
  off('the-last-eraser-decides', (switched) => ({
    vault: (vault) => ({
      // All erasures of a person share one id.
      detachEmail: async (customerId, { at }) => vault.detachEmail(customerId, { erasureId: customerId, at }),
      attachEmail: async (customerId) => vault.attachEmail(customerId, customerId),
      async decideErasure(customerId) {
        const at = switched.world.scheduler.nowMs
        const erasureId = customerId
        return (await vault.detachEmail(customerId, { erasureId, at })) && vault.decideErasure(customerId, erasureId)
      },
    }),
  })),
  off('erased-in-the-log-first', () => ({
    vault: (vault) => ({
      async decideErasure(customerId, erasureId) {
        const isDecided = await vault.decideErasure(customerId, erasureId)
        if (isDecided) await vault.deleteCustomers([customerId])
        return isDecided
      },
    }),
  })),
  off('none-comes-back-without-its-buyer', () => ({
    vault: (vault, _shop, { name }) => {
      if (!name.includes('reinstate') && !name.includes('staff-approve')) return {}
      return {
        keysOf: async (ids) => new Map([...(await vault.keysOf(ids)).keys()].map((id) => [id, new Uint8Array(32)])),
        detached: async () => [],
      }
    },
  })),
  off('erasures-are-finished', () => neverDue('finish-erasures')),
]

function detachedLast(vault: Vault, shop: CommandContext): Partial<Vault> {
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

function withoutReversal(event: KnownEvent): KnownEvent {
  if (event.type !== 'PaymentReversed') return event
  const { orderId, at } = event.data
  return { ...event, type: 'OrderAbandoned', data: { orderId, serial: 1, at } }
}

function isPoll(thread: Thread): boolean {
  return thread.name.includes('check-payments') || !thread.name.includes('.')
}

import type { PreparedOrder } from '../../commands/place-order.ts'
import { LIFETIMES_MAX } from '../../domain/order/deadline.ts'
import type { OrderEvent } from '../../domain/order/events.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { LimitStore } from './limit-store.ts'
import { networkRateLimit, permitKeys } from './network-rate-limit.ts'

const PER_CUSTOMER_MAX = 5
const PER_ADDRESS_MAX = 50
/** An unpaid order ends soon after its deadline; its permit expires then even if that event was missed. */
const SLACK_MS = 10 * 60_000
const PLACED_PER_MINUTE_MAX = 60
/** An order costs one point more for so many market ids: the longest list fits into a minute. */
const IDS_PER_POINT = 20

/** Unpaid orders may hold this fraction of the available stock, or this quantity, for the full time. */
const SHARE = 1 / 4
const SHARE_AT_LEAST_M = 100
const DAY_S = 24 * 3_600
/** Points for large orders that ended unpaid; at the daily maximum, large orders are refused. A cancelled one counts less, since editing a draft cancels. */
const UNPAID_MAX = 3
/** Large orders kept; beyond it the oldest is dropped. */
const REMEMBERED_MAX = 10_000

type Networks = readonly [string, ...string[]]
/** A pre-order counts by its quantity, too, though it holds no coins yet. */
type Wanted = Pick<PreparedOrder, 'emailHmac' | 'marketIds'> & {
  readonly request: Pick<PreparedOrder['request'], 'quantityM'>
  readonly offer: Pick<PreparedOrder['offer'], 'freeM'>
}

/** Limits unpaid orders and their coins per address and per customer at an address, and orders placed per address. */
export interface OrderLimit {
  /** Takes a permit for a new order, or refuses it. */
  take(networks: Networks, wanted: Wanted): Promise<OrderPermit>
  /** Must be called with every event of an order. */
  onEvent(type: string, orderId: string): void
}

/** The caller must call `bindTo` or `release`. */
export interface OrderPermit {
  /** It is held for a shorter time. */
  readonly isLargeHold: boolean
  /** The order was placed: it holds the permit until it is covered or ends. */
  bindTo(orderId: string): void
  /** The order was not placed. */
  release(): void
}

export function orderLimit(store: LimitStore, { orderTtlMinutes }: { orderTtlMinutes: number }): OrderLimit {
  const permits = store.permits({ heldMs: LIFETIMES_MAX * orderTtlMinutes * 60_000 + SLACK_MS })
  const perMinute = networkRateLimit(store, { name: 'placed', max: PLACED_PER_MINUTE_MAX, windowS: 60 })
  const unpaid = networkRateLimit(store, { name: 'unpaid-large', max: UNPAID_MAX, windowS: DAY_S })
  const large = new Map<string, Networks>()

  /** E-mails are counted per address: a count per e-mail alone would let strangers probe or block it. */
  async function takePermit(networks: Networks, { emailHmac, request: { quantityM }, offer: { freeM } }: Wanted) {
    const ofCustomer = { key: `c:${emailHmac}@${networks[0]}`, max: PER_CUSTOMER_MAX }
    const taken = await permits.take([ofCustomer, ...permitKeys(networks, PER_ADDRESS_MAX)], quantityM)
    if ('full' in taken)
      throw taken.full === ofCustomer.key
        ? new Refusal('order/too-many-open', 'You have too many unpaid orders. Please pay or cancel one first.')
        : new Refusal('order/too-many-open', 'Too many unpaid orders come from your network. Please try later.')
    return { permit: taken.permit, leftM: Math.min(...taken.heldM.map((heldM) => shareLeftM(freeM, heldM))) }
  }

  return {
    async take(networks, wanted) {
      await perMinute.consume(networks, 1 + Math.floor(wanted.marketIds.length / IDS_PER_POINT))
      const { permit, leftM } = await takePermit(networks, wanted)
      const isLarge = wanted.request.quantityM > leftM
      try {
        const retryAfterS = isLarge ? await unpaid.secondsExhausted(networks) : 0
        if (retryAfterS > 0) throw shareExceeded(leftM, retryAfterS)
      } catch (error) {
        permit.release()
        throw error
      }
      return {
        isLargeHold: isLarge,
        bindTo(orderId) {
          permit.bindTo(orderId)
          if (isLarge) remember(orderId, networks)
        },
        release: () => permit.release(),
      }
    },

    onEvent(type, orderId) {
      const points = pointsOf.get(type)
      if (points === undefined) return
      permits.releaseFor(orderId)
      const networks = large.get(orderId)
      large.delete(orderId)
      // Without the store nothing is counted.
      if (networks && points > 0) void unpaid.add(networks, points).catch(() => undefined)
    },
  }

  function remember(orderId: string, networks: Networks): void {
    large.set(orderId, networks)
    const [oldest] = large.keys()
    if (large.size > REMEMBERED_MAX && oldest !== undefined) large.delete(oldest)
  }
}

/** How many more millions may be held for the full time, when `heldM` are held unpaid already. */
function shareLeftM(freeM: number, heldM: number): number {
  const shareM = Math.max(SHARE_AT_LEAST_M, Math.floor((freeM + heldM) * SHARE))
  return Math.max(0, shareM - heldM)
}

function shareExceeded(leftM: number, retryAfterS: number): Refusal {
  return new Refusal(
    'order/share-exceeded',
    leftM === 0
      ? 'Large orders from your network were not paid. Pay what is open first; tomorrow you can order more.'
      : `Large orders from your network were not paid. You can order up to ${leftM}M now, and more tomorrow.`,
    { availableM: leftM, retryAfterS },
  )
}

export const noOrderLimit: OrderLimit = {
  take: async () => ({ isLargeHold: false, bindTo: () => undefined, release: () => undefined }),
  onEvent: () => undefined,
}

/** By event: undefined if the order keeps its permit; otherwise the points that it adds for a large one. */
const pointsAtEnd: Readonly<Record<OrderEvent['type'], number | undefined>> = {
  OrderPlaced: undefined,
  OrderAbandoned: undefined,
  PaymentMethodChosen: undefined,
  PaymentRequested: undefined,
  PaymentStarted: undefined,
  PaymentSeen: undefined,
  CaptureRequested: undefined,
  PaymentReceived: undefined,
  PaymentFailed: undefined,
  PaymentReversed: undefined,
  PaymentDisputed: undefined,
  DisputeClosed: undefined,
  RefundRecorded: 0,
  PaymentWatchEnded: undefined,
  PaymentWatchHeldUp: undefined,
  ReceiptUnusable: undefined,
  OrderApproved: 0,
  PreOrderReserved: undefined,
  OrderReady: 0,
  DeliveryHeld: undefined,
  DeliveryRequested: undefined,
  DeliveryGivenUp: undefined,
  DeliveredAfterEnd: undefined,
  OrderCompleted: 0,
  OrderExpired: UNPAID_MAX,
  OrderCancelled: 1,
  OrderReinstated: undefined,
  ReinstatementRefused: undefined,
  AttentionSettled: undefined,
  OrderDeleted: 0,
}
const pointsOf: ReadonlyMap<string, number | undefined> = new Map(Object.entries(pointsAtEnd))

import type { Config } from '../../config.ts'
import { LRUCache } from 'lru-cache'
import { anyPlace, type OrderPlace, type QuotedOrder } from '../../commands/place-order.ts'
import { LIFETIMES_MAX } from '../../domain/order/deadline.ts'
import type { OrderEvent } from '../../domain/order/events.ts'
import { Refusal } from '../../domain/refusal.ts'
import { Limit, type LimiterFor } from './limit.ts'

const PER_CUSTOMER_MAX = 5
const PER_NETWORK_MAX = 50
/** An unpaid order's place ends this long after its longest lifetime, even if an event was missed. */
const SLACK_S = 10 * 60
const PLACED_PER_MINUTE_MAX = 60
/** This many market ids cost one more point; the longest list still fits into a minute's points. */
const IDS_PER_POINT = 20

/** A network's unpaid orders may hold this share of the stock, or this quantity if it is larger, for the full time. */
const SHARE = 1 / 4
const SHARE_AT_LEAST_M = 100
const DAY_S = 24 * 3_600
/**
 * Daily points for large orders that end unpaid; at the maximum, large orders are refused. Cancelling counts less, since
 * editing a draft cancels.
 */
const UNPAID_MAX = 3
/** Orders whose places this process can release; others are released when their window ends. */
const REMEMBERED_MAX = 50_000

type Networks = readonly [string, ...string[]]
/** Limits, for each network, unpaid orders in all and of each customer, the coins that they hold, and orders placed. */
interface OrderLimit {
  /** Takes a place for a new order, or throws. A pre-order counts by its quantity, too, though it holds no coins yet. */
  take(networks: Networks, order: QuotedOrder): Promise<OrderPlace>
  /** Must be called with every event of an order. */
  onEvent(type: string, orderId: string): void
}

export function orderLimit(
  limiterFor: LimiterFor,
  { ORDER_TTL_MINUTES }: Pick<Config, 'ORDER_TTL_MINUTES'>,
): OrderLimit {
  const windowS = LIFETIMES_MAX * ORDER_TTL_MINUTES * 60 + SLACK_S
  const limit = (name: string, max: number, ofS = windowS) => new Limit(limiterFor, { name, max, windowS: ofS })
  const perMinute = limit('placed', PLACED_PER_MINUTE_MAX, 60)
  /** E-mails are counted per network: a count per e-mail alone would let strangers probe or block it. */
  const perCustomer = limit('unpaid-of', PER_CUSTOMER_MAX)
  const perNetwork = limit('unpaid', PER_NETWORK_MAX)
  const coinsM = limit('unpaid-m', Number.MAX_SAFE_INTEGER)
  const unpaidLarge = limit('unpaid-large', UNPAID_MAX, DAY_S)
  const held = new LRUCache<string, { release: () => void; largeOf: Networks | undefined }>({ max: REMEMBERED_MAX })

  async function takePlaces(networks: Networks, { emailHmac, quantityM }: QuotedOrder) {
    const [ofCustomer, ofNetworks, coins] = await Promise.all([
      perCustomer.take([`${emailHmac}@${networks[0]}`]),
      perNetwork.take(networks),
      coinsM.take(networks, quantityM),
    ])
    const release = (): void => {
      // While the limiter's store is away, nothing is counted and giving back fails.
      for (const taken of [ofCustomer, ofNetworks, coins])
        if (typeof taken !== 'number') void taken.giveBack().catch(() => undefined)
    }
    if (typeof ofCustomer !== 'number' && typeof ofNetworks !== 'number' && typeof coins !== 'number')
      return { release, heldM: coins.before }
    release()
    throw new Refusal(
      'order/too-many-open',
      typeof ofCustomer === 'number'
        ? 'You have too many unpaid orders. Please pay or cancel one first.'
        : 'Too many unpaid orders come from your network. Please try later.',
    )
  }

  return {
    async take(networks, order) {
      await perMinute.consume(networks, 1 + Math.floor(order.marketIds.length / IDS_PER_POINT))
      const { release, heldM } = await takePlaces(networks, order)
      const leftM = Math.min(...heldM.map((ofNetwork) => shareLeftM(order.freeM, ofNetwork)))
      const isLargeHold = order.quantityM > leftM
      const retryAfterS = isLargeHold ? await unpaidLarge.secondsFull(networks) : 0
      if (retryAfterS > 0) {
        release()
        throw shareExceeded(leftM, retryAfterS)
      }
      const largeOf = isLargeHold ? networks : undefined
      return { isLargeHold, release, bindTo: (orderId) => void held.set(orderId, { release, largeOf }) }
    },

    onEvent(type, orderId) {
      const points = pointsAtEnd.get(type)
      const order = points === undefined ? undefined : held.get(orderId)
      if (points === undefined || !order) return
      held.delete(orderId)
      order.release()
      if (order.largeOf && points > 0) void unpaidLarge.add(order.largeOf, points).catch(() => undefined)
    },
  }
}

/** How many more millions may be held for the full time, if `heldM` are held unpaid already. */
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

/** For `RATE_LIMIT=off`. */
export const noOrderLimit: OrderLimit = {
  take: async () => anyPlace,
  onEvent: () => undefined,
}

/** Events that release an order's place, and the points that they add for a large order. */
const pointsAtEnd: ReadonlyMap<string, number> = new Map(
  Object.entries({
    OrderReady: 0,
    OrderApproved: 0,
    OrderCompleted: 0,
    RefundRecorded: 0,
    OrderDeleted: 0,
    OrderCancelled: 1,
    OrderExpired: UNPAID_MAX,
  } satisfies Partial<Record<OrderEvent['type'], number>>),
)

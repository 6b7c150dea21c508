import type { PlaceOrderResult } from '../../commands/place-order.ts'
import { Refusal } from '../../domain/refusal.ts'

const PER_CUSTOMER_MAX = 5
const PER_ADDRESS_MAX = 50
/** Orders remembered; beyond it the oldest is forgotten, which only lets somebody hold more. */
const REMEMBERED_MAX = 50_000

interface Place {
  readonly customer: string
  readonly address: string
}

type OnQuoted = (customer: { emailHmac: string }) => Promise<void>

/**
 * How many unpaid orders one customer and one address hold. Counted in this process's memory: a restart forgets.
 */
export interface OrderLimit {
  /** Places an order if its customer and its address may hold one more; what was not placed holds nothing. */
  within(address: string, place: (onQuoted: OnQuoted) => Promise<PlaceOrderResult>): Promise<PlaceOrderResult>
  /** The order is unpaid no longer. */
  end(orderId: string): void
}

export function orderLimit(): OrderLimit {
  const held = new Map<string, Place>()
  const counts = new Map<string, number>()

  const keysOf = ({ customer, address }: Place): [string, string] => [`c:${customer}`, `a:${address}`]
  const add = (key: string, difference: number): void => {
    const count = (counts.get(key) ?? 0) + difference
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }
  const give = (place: Place): void => {
    for (const key of keysOf(place)) add(key, -1)
  }
  const end = (orderId: string): void => {
    const place = held.get(orderId)
    if (!place) return
    held.delete(orderId)
    give(place)
  }

  const take = (place: Place): void => {
    const [customer, address] = keysOf(place)
    if ((counts.get(customer) ?? 0) >= PER_CUSTOMER_MAX)
      throw new Refusal('order/too-many-open', 'You have too many unpaid orders. Please pay or cancel one first.')
    if ((counts.get(address) ?? 0) >= PER_ADDRESS_MAX)
      throw new Refusal('order/too-many-open', 'Too many unpaid orders come from your network. Please try later.')
    for (const key of [customer, address]) add(key, 1)
  }
  const keep = (orderId: string, place: Place): void => {
    held.set(orderId, place)
    const [oldest] = held.keys()
    if (held.size > REMEMBERED_MAX && oldest !== undefined) end(oldest)
  }

  return {
    async within(address, place) {
      let taken: Place | undefined
      try {
        const placed = await place(async ({ emailHmac }) => {
          const wanted = { customer: emailHmac, address }
          take(wanted)
          taken = wanted
        })
        const { orderId } = placed.order.placed
        if (taken && !placed.isReplay) {
          keep(orderId, taken)
          taken = undefined
        }
        return placed
      } finally {
        if (taken) give(taken)
      }
    },
    end,
  }
}

export const noOrderLimit: OrderLimit = {
  within: async (_address, place) => place(async () => undefined),
  end: () => undefined,
}

/** Events after which an order holds no unpaid place. */
export const endsUnpaid: ReadonlySet<string> = new Set([
  'PaymentReceived',
  'OrderApproved',
  'OrderCompleted',
  'OrderExpired',
  'OrderCancelled',
  'OrderDeleted',
])

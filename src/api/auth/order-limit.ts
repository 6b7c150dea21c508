import type { PlaceOrderResult } from '../../commands/place-order.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { LimitStore, TakenPlace } from './limit-store.ts'

const PER_CUSTOMER_MAX = 5
const PER_ADDRESS_MAX = 50
/** An order that can be paid no longer is ended soon after; if nobody told, its place is free again by then. */
const SLACK_MS = 10 * 60_000

type OnQuoted = (customer: { emailHmac: string }) => Promise<void>

/** How many unpaid orders one customer and one address hold. */
export interface OrderLimit {
  /** Places an order if its customer and its address may hold one more; what was not placed holds nothing. */
  within(address: string, place: (onQuoted: OnQuoted) => Promise<PlaceOrderResult>): Promise<PlaceOrderResult>
  /** The order is unpaid no longer. */
  end(orderId: string): void
}

export function orderLimit(store: LimitStore, { orderTtlMinutes }: { orderTtlMinutes: number }): OrderLimit {
  const places = store.places({ heldMs: orderTtlMinutes * 60_000 + SLACK_MS })

  async function take(customer: string, address: string): Promise<TakenPlace> {
    const ofCustomer = { key: `c:${customer}`, max: PER_CUSTOMER_MAX }
    const taken = await places.take([ofCustomer, { key: `a:${address}`, max: PER_ADDRESS_MAX }])
    if ('place' in taken) return taken.place
    if (taken.full === ofCustomer.key)
      throw new Refusal('order/too-many-open', 'You have too many unpaid orders. Please pay or cancel one first.')
    throw new Refusal('order/too-many-open', 'Too many unpaid orders come from your network. Please try later.')
  }

  return {
    async within(address, place) {
      let taken: TakenPlace | undefined
      try {
        const placed = await place(async ({ emailHmac }) => {
          taken = await take(emailHmac, address)
        })
        if (taken && !placed.isReplay) {
          taken.keep(placed.order.placed.orderId)
          taken = undefined
        }
        return placed
      } finally {
        taken?.giveBack()
      }
    },
    end: (orderId) => places.end(orderId),
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

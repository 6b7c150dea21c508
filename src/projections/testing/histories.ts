import fc from 'fast-check'
import type { ShopEvent } from '../../domain/events.ts'
import {
  customerHistories,
  inventoryHistories,
  orderHistories,
  productHistories,
  receiptHistories,
} from '../../domain/testing/arbitraries.ts'
import { completed, deleted, minute, orderId, placed } from '../../domain/testing/order-samples.ts'

/** Interleaves streams in one log; the order within each stream stays. */
function interleaved(histories: readonly (readonly ShopEvent[])[], draws: readonly number[]): ShopEvent[] {
  const rest = histories.map((history) => [...history])
  const log: ShopEvent[] = []
  for (let turn = 0; rest.some((history) => history.length > 0); turn += 1) {
    const open = rest.filter((history) => history.length > 0)
    const next = open[(draws[turn % draws.length] ?? 0) % open.length]?.shift()
    if (next) log.push(next)
  }
  return log
}

const PER_STREAM_MAX = 20
const draws = fc.array(fc.nat(11), { minLength: 7, maxLength: 40 })

/** Random logs of a few orders of two customers. */
export const shopHistories: fc.Arbitrary<ShopEvent[]> = fc
  .tuple(
    fc.array(orderHistories, { minLength: 1, maxLength: 4 }),
    inventoryHistories,
    receiptHistories,
    productHistories,
    fc.option(customerHistories, { freq: 2 }),
    draws,
  )
  .map(([orders, inventory, receipts, products, customers, drawn]) => {
    const renamed = orders.map(({ events }, index) =>
      events.map((event) => ofOrder(event, { orderId: `order-${index + 1}`, customerId: `customer-${index % 2}` })),
    )
    const others = [inventory.events, receipts.events, products.events, customers?.events ?? []]
    const bounded = [...renamed, ...others].map((events) => events.slice(0, PER_STREAM_MAX))
    return interleaved(bounded, drawn)
  })

/** Placed, completed and deleted orders of two customers. */
export const salesHistories: fc.Arbitrary<ShopEvent[]> = fc
  .tuple(fc.array(fc.constantFrom(1, 2, 3), { minLength: 1, maxLength: 6 }), draws)
  .map(([lives, drawn]) => {
    const orders = lives.map((length, index) => {
      const names = { orderId: `order-${index}`, customerId: `customer-${index % 2}` }
      const of = { ...names, paymentMethod: null }
      const life = [placed(of), completed(of), deleted({ ...of, completedAt: minute(30) })]
      return life.slice(0, length)
    })
    return interleaved(orders, drawn)
  })

export function ofOrder<Event extends ShopEvent>(event: Event, names: { orderId: string; customerId: string }): Event {
  const text = JSON.stringify(event).replaceAll(orderId, names.orderId).replaceAll('customer-1', names.customerId)
  return JSON.parse(text) as Event
}

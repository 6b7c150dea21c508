import type { Order } from '#contract/order.ts'

/** The step that the spec derives from the fields of an order. */
export function checkoutStep(
  order: Pick<Order, 'customerEmail' | 'discordUsername' | 'marketId' | 'pokecoinAmount'>,
): 1 | 2 | 3 | 4 {
  const hasCustomer = order.customerEmail !== '' && order.discordUsername !== ''
  if (hasCustomer && order.marketId !== '') return 4
  if (hasCustomer) return 3
  return order.pokecoinAmount > 0 ? 2 : 1
}

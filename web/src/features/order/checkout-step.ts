import type { Order } from '#contract/order.ts'

/** The spec's derivation: what an order already holds says which of the six steps it is at. */
export function checkoutStep(
  order: Pick<Order, 'customerEmail' | 'discordUsername' | 'marketId' | 'pokecoinAmount'>,
): 1 | 2 | 3 | 4 {
  const hasCustomer = order.customerEmail !== '' && order.discordUsername !== ''
  if (hasCustomer && order.marketId !== '') return 4
  if (hasCustomer) return 3
  return order.pokecoinAmount > 0 ? 2 : 1
}

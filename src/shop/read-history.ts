import { productStream } from '../domain/stream-names.ts'
import { fold } from '../domain/decider.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import type { ProductEvent } from '../domain/product/events.ts'
import { product as productDecider, type ProductState } from '../domain/product/product.ts'
import { type Buyer, keysOf, openSealed, type RecordedEvent } from '../event-store/event-log.ts'
import { SealBroken } from '../event-store/sealing.ts'
import type { Shop } from './shop.ts'

export type { Buyer } from '../event-store/event-log.ts'

export async function readProductHistory(
  { log }: Pick<Shop, 'log'>,
  productId: string,
): Promise<{ product: ProductState; events: readonly RecordedEvent<ProductEvent>[] }> {
  const events = (await log.readStream(productStream(productId))) as RecordedEvent<ProductEvent>[]
  return { product: fold(productDecider, events), events }
}

/** The buyers of these orders, by one vault read. One whose data is damaged does not affect the others. */
export async function buyersOf({ vault }: Pick<Shop, 'vault'>, orders: readonly PlacedOrder[]): Promise<Buyer[]> {
  const customers = orders.map(({ placed }) => placed.customerId)
  const keys = await keysOf(vault, customers)
  return orders.map(({ placed }) => {
    try {
      return openSealed(placed, keys)
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      return 'unreadable'
    }
  })
}

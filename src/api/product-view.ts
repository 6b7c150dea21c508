import { quoteBy } from '../commands/quote-order.ts'
import type { Shop } from '../commands/shop.ts'
import { fold } from '../domain/decider.ts'
import { centsToText } from '../domain/money.ts'
import type { ProductEvent } from '../domain/product/events.ts'
import { product as productDecider } from '../domain/product/product.ts'
import { Refusal } from '../domain/refusal.ts'
import type { RecordedEvent } from '../event-store/event-log.ts'
import type { Product } from './contract/product.ts'
import type { ListedProduct } from './views.ts'

/** A product as the API shows it, at the shop's own price for its quantity. */
export function productView(
  shop: Pick<Shop, 'hot'>,
  { productId, fields, createdAt, updatedAt }: ListedProduct,
): Product {
  const { quantityM, name, description, imageUrl, active, position } = fields
  const price = centsToText(quoteBy(shop.hot.currentSettings(), quantityM).totalCents)
  return {
    id: productId,
    name,
    description,
    pokecoinAmount: quantityM,
    imageUrl,
    active,
    position,
    createdAt,
    updatedAt,
    price,
  }
}

/** A product as its own stream tells it, which is never behind. */
export async function readProduct({ log }: Pick<Shop, 'log'>, productId: string): Promise<ListedProduct> {
  const events = (await log.readStream(`product-${productId}`)) as RecordedEvent<ProductEvent>[]
  const state = fold(productDecider, events)
  const [first] = events
  const last = events.at(-1)
  if (state.kind !== 'listed' || !first || !last) throw new Refusal('product/not-found', 'There is no such product.')
  return { productId, fields: state.fields, createdAt: first.data.at, updatedAt: last.data.at }
}

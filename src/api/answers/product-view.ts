import { quoteBy } from '../../commands/quote-order.ts'
import { readProductHistory } from '../../shop/read-history.ts'
import type { Shop } from '../../shop/shop.ts'
import { centsToText } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { ProductDocument } from '../../projections/catalogue.ts'
import type { Product } from '../contract/product.ts'

/** A product as the API shows it, at the shop's own price for its quantity. */
export function productView(
  shop: Pick<Shop, 'hot'>,
  { productId, quantityM, name, description, active, position, createdAt, updatedAt }: ProductDocument,
): Product {
  const price = centsToText(quoteBy(shop.hot.currentSettings(), quantityM).totalCents)
  return {
    id: productId,
    name,
    description,
    pokecoinAmount: quantityM,
    active,
    position,
    createdAt,
    updatedAt,
    price,
  }
}

/** A product folded from its own stream, which is never behind. */
export async function readProduct(shop: Pick<Shop, 'log'>, productId: string): Promise<ProductDocument> {
  const { product, events } = await readProductHistory(shop, productId)
  const [first] = events
  const last = events.at(-1)
  if (product.kind !== 'listed' || !first || !last) throw new Refusal('product/not-found', 'There is no such product.')
  return { productId, ...product.fields, createdAt: first.data.at, updatedAt: last.data.at }
}

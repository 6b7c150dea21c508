import { PRODUCTS_STREAM } from '../domain/stream-names.ts'
import { catalogue, type Catalogue, type ProductCommand } from '../domain/product/product.ts'
import type { Caller } from '../engines/event-store/event-log.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { handleCommand } from '../shop/handle-command.ts'
import type { Shop } from '../shop/shop.ts'

export async function handleProduct(
  shop: Shop,
  caller: Caller,
  command: ProductCommand,
): Promise<{ products: Catalogue; position: Position }> {
  const { state, position } = await handleCommand(shop, catalogue, {
    stream: PRODUCTS_STREAM,
    read: async () => shop.hot.products.readNewest(),
    command,
    caller,
  })
  await shop.hot.products.refresh()
  return { products: state, position }
}

import { productStream } from '../domain/stream-names.ts'
import { product as productDecider, type ProductCommand } from '../domain/product/product.ts'
import type { Caller } from '../engines/event-store/event-log.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { handleCommand } from '../shop/handle-command.ts'
import type { Shop } from '../shop/shop.ts'

/** Creates, changes or deletes a product. */
export async function handleProduct(
  shop: Shop,
  caller: Caller,
  command: ProductCommand,
): Promise<{ position: Position }> {
  return handleCommand(shop, productDecider, { stream: productStream(command.productId), command, caller })
}

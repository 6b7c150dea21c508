import { catalogue, type Catalogue, type ProductCommand } from '../domain/product/product.ts'
import type { Caller } from '../log/event-log.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { handleInMemory } from '../shop/handle-command.ts'
import type { CommandContext } from '../shop/command-context.ts'

export async function handleProduct(
  context: CommandContext,
  caller: Caller,
  command: ProductCommand,
): Promise<{ products: Catalogue; position: Position }> {
  const { state, position } = await handleInMemory(context, context.hot.products, catalogue, { command, caller })
  return { products: state, position }
}

import { quoteBy } from '../../commands/quote-order.ts'
import type { CommandContext } from '../../shop/command-context.ts'
import { centsToText } from '../../domain/money.ts'
import type { ProductState } from '../../domain/product/product.ts'
import type { Product } from '../contract/product.ts'

/** A product as the API shows it, priced by the shop's quote. */
export function productView(
  context: Pick<CommandContext, 'hot'>,
  { productId, name, description, quantityM, ...same }: ProductState,
): Product {
  const price = centsToText(quoteBy(context.hot.currentSettings(), quantityM).totalCents)
  return { id: productId, name, description, pokecoinAmount: quantityM, ...same, price }
}

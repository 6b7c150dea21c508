import { TryAgain } from '../ports/try-again.ts'

/** Many want the same stream at once. Nothing was written; trying again soon helps. */
export class ShopBusy extends TryAgain {
  override readonly name = 'ShopBusy'
  readonly code = 'shop-busy'
}

import { TryAgain } from '../ports/try-again.ts'

/** Too much contention on one stream. Nothing was written; a retry helps. */
export class ShopBusy extends TryAgain {
  override readonly name = 'ShopBusy'
  readonly code = 'shop-busy'
}

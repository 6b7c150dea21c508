import type { ShopEvent } from '../../domain/events.ts'
import { projectionRunner } from '../runner.ts'
import { viewReader } from '../view-reader.ts'
import { temporaryViewStore } from '../../engines/view-store/sqlite-view-store.ts'
import { shopProjections } from '../../projections/shop-projections.ts'
import type { Views } from '../../projections/shop-views.ts'
import { ofOrder } from '../../projections/testing/histories.ts'
import { shopLog } from '../../projections/testing/shop-log.ts'

const projections = shopProjections({ timeZone: 'UTC' })

/** The views of a shop in which this has happened. */
export async function viewsAfter(...events: readonly ShopEvent[]): Promise<Views> {
  const shop = shopLog()
  await shop.record(...events)
  const store = temporaryViewStore()
  const clock = { now: () => 0, sleep: async () => undefined }
  const runner = projectionRunner({ log: shop.log, logId: 'log', store, shape: 'shape', projections, clock })
  while (await runner.runOnce());
  return viewReader({ store, shape: 'shape', projections, now: () => 0 })
}

/** The same events of another order, and of a customer of its own. */
export const of = (orderId: string, ...events: readonly ShopEvent[]): ShopEvent[] =>
  events.map((event) => ofOrder(event, { orderId, customerId: `customer-of-${orderId}` }))

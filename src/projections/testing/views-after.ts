import type { ShopEvent } from '../../domain/events.ts'
import { projectionRunner } from '../../projector/runner.ts'
import { viewReader } from '../../projector/view-reader.ts'
import { temporaryViewStore } from '../../engines/view-store/sqlite-view-store.ts'
import { shopProjections } from '../shop-projections.ts'
import type { Views } from '../views.ts'
import { ofOrder } from './histories.ts'
import { shopLog } from './shop-log.ts'

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

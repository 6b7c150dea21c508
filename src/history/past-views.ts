import type { EventStore } from '../event-store/event-store.ts'
import { analyticsProjection } from '../projections/analytics.ts'
import { ordersProjection } from '../projections/orders.ts'
import type { PastViews, Reached } from '../projections/past-views.ts'
import { paymentsProjection } from '../projections/payments.ts'
import { shopAsOf } from './shop-as-of.ts'
import { stockFold } from './stock-days.ts'

/** What the screens of staff ask of the past: the views of the log before a moment. */
export async function pastViews(options: {
  readonly store: Pick<EventStore, 'readAll'>
  readonly beforeMs: number
  readonly timeZone: string
  readonly onProgress?: (reached: Reached) => void
  readonly signal?: AbortSignal
}): Promise<PastViews> {
  const { beforeMs, timeZone, ...others } = options
  const stock = stockFold({ timeZone })
  const projections = [ordersProjection, analyticsProjection({ timeZone }), paymentsProjection]
  const past = await shopAsOf({ ...others, moment: { beforeMs }, projections, folds: [stock] })
  return { ...past, openM: stock.now().reservedM }
}

import type { InventoryEvent } from '../domain/inventory/events.ts'
import { inventory } from '../domain/inventory/inventory.ts'
import { STOCK_STREAM } from '../domain/stream-names.ts'
import type { RecordedEvent } from '../log/event-log.ts'
import type { EventStore } from '../engines/event-store/event-store.ts'
import { analyticsProjection } from '../projections/analytics.ts'
import { ordersProjection } from '../projections/orders.ts'
import type { PastViews, Reached } from '../projections/past-views.ts'
import { paymentsProjection } from '../projections/payments.ts'
import { shopAsOf } from './shop-as-of.ts'

/** The views of the log before a moment, for the staff screens. */
export async function pastViews(options: {
  readonly store: Pick<EventStore, 'readAll'>
  readonly beforeMs: number
  readonly timeZone: string
  readonly onProgress?: (reached: Reached) => void
  readonly signal?: AbortSignal
}): Promise<PastViews> {
  const { beforeMs, timeZone, ...others } = options
  let stock = inventory.initial
  const onEvent = (event: RecordedEvent): void => {
    if (event.stream === STOCK_STREAM) stock = inventory.evolve(stock, event as RecordedEvent<InventoryEvent>)
  }
  const projections = [ordersProjection, analyticsProjection({ timeZone }), paymentsProjection]
  const past = await shopAsOf({ ...others, moment: { beforeMs }, projections, onEvent })
  return { ...past, openM: stock.openM }
}

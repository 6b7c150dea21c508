import type { ShopEvent } from '../../domain/events.ts'
import { type OrderDocument, orderIn, ordersProjection } from '../../projections/orders.ts'
import { bodiesAfter } from './clean-fold.ts'

/** The orders after these events as readers see them: stored, then restored. */
export function shownAfter(...events: readonly ShopEvent[]): Map<string, OrderDocument> {
  const { form } = ordersProjection
  const folded = [...bodiesAfter(ordersProjection, ...events)]
  return new Map(folded.map(([id, body]) => [id, orderIn(JSON.parse(JSON.stringify(form?.toStored(body))))]))
}

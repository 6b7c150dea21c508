import type { EventStore } from '../event-store/event-store.ts'
import { analyticsProjection } from '../projections/analytics.ts'
import { ordersProjection } from '../projections/orders.ts'
import { paymentsProjection } from '../projections/payments.ts'
import type { Views } from '../projections/views.ts'
import type { Reached } from './fold-log.ts'
import { readRevenue, type RevenueRows } from './revenue.ts'
import { shopAsOf } from './shop-as-of.ts'
import { stockFold } from './stock-days.ts'

/** What the screens of staff ask of the past. */
export interface PastViews {
  /** Of orders and figures. */
  readonly views: Views
  readonly reached: Reached
  /** Millions that open reservations held. */
  readonly openM: number
  /** Reads the log once more, once for all who ask. */
  revenue(): Promise<RevenueRows>
  close(): Promise<void>
}

interface PastViewsOptions {
  readonly store: Pick<EventStore, 'readAll'>
  /** The views are of the log before it. */
  readonly beforeMs: number
  readonly timeZone: string
  readonly onProgress?: ((reached: Reached) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export const pastProjections = ({ timeZone }: { timeZone: string }) => [
  ordersProjection,
  analyticsProjection({ timeZone }),
  paymentsProjection,
]

export async function pastViews(options: PastViewsOptions): Promise<PastViews> {
  const { store, beforeMs, timeZone, onProgress, signal } = options
  const stock = stockFold({ timeZone })
  const past = await shopAsOf({
    store,
    moment: { beforeMs },
    projections: pastProjections({ timeZone }),
    folds: [stock],
    onProgress,
    signal,
  })
  const { reached } = past
  return {
    ...past,
    openM: stock.now().reservedM,
    revenue: onceRead(async () => readRevenue(store, { moment: { position: reached.position }, timeZone, onProgress })),
  }
}

/** The past does not change: what was read of it is kept, and read again only after a failure. */
function onceRead<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined
  return async () => {
    kept ??= read().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }
}

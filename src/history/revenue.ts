import type { EventStore } from '../event-store/event-store.ts'
import { figuresFold, type FiguresRow } from './figures.ts'
import { foldLog, type Reached } from './fold-log.ts'
import type { Moment } from './moment.ts'

export interface RevenueRows {
  /** By the day on which it was counted, oldest first. */
  readonly byDay: readonly FiguresRow[]
  readonly byMethod: readonly FiguresRow[]
}

/** Reads the whole log once. */
export async function readRevenue(
  store: Pick<EventStore, 'readAll'>,
  {
    moment,
    timeZone,
    onProgress,
  }: { moment: Moment; timeZone: string; onProgress?: ((reached: Reached) => void) | undefined },
): Promise<RevenueRows> {
  const figures = figuresFold({ timeZone, by: ['day', 'method'] })
  await foldLog(store, moment, [figures], { onProgress })
  return { byDay: figures.rows('day'), byMethod: figures.rows('method') }
}

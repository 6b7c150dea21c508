import { decode } from '../event-store/event-codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { figuresFold, type FiguresRow } from './figures.ts'
import type { Moment } from './moment.ts'
import { pagesUpTo } from './pages-up-to.ts'

export interface RevenueRows {
  /** By the day on which it was counted, oldest first. */
  readonly byDay: readonly FiguresRow[]
  readonly byMethod: readonly FiguresRow[]
}

/** Reads the whole log once. */
export async function readRevenue(
  store: Pick<EventStore, 'readAll'>,
  { moment, timeZone }: { moment: Moment; timeZone: string },
): Promise<RevenueRows> {
  const days = figuresFold({ timeZone, by: 'day' })
  const methods = figuresFold({ timeZone, by: 'method' })
  for await (const page of pagesUpTo(store, moment))
    for (const stored of page) {
      const asked = [days, methods].filter((fold) => fold.needs(stored))
      if (asked.length === 0) continue
      const event = decode(stored)
      if (event.type !== 'unreadable') for (const fold of asked) fold.see(event)
    }
  return { byDay: days.rows(), byMethod: methods.rows() }
}

import type { InventoryEvent } from '../domain/inventory/events.ts'
import { inventory } from '../domain/inventory/inventory.ts'
import { STOCK_STREAM } from '../domain/stream-names.ts'
import { daysIn } from '../projections/calendar.ts'
import type { RecordedEvent } from '../event-store/event-log.ts'
import type { Fold } from './fold-log.ts'

/** A day on which stock moved, in millions. */
export interface StockDay {
  readonly day: string
  /** The opening stock, and what staff added or took. */
  readonly setM: number
  readonly soldM: number
  /** At the end of the day, as the decider has them. */
  readonly freeM: number
  readonly reservedM: number
}

export interface StockFold extends Fold {
  rows(): StockDay[]
  now(): { freeM: number; reservedM: number }
}

/** The stock of each day. */
export function stockFold({ timeZone }: { timeZone: string }): StockFold {
  const dayOf = daysIn(timeZone)
  const days = new Map<string, StockDay>()
  let state = inventory.initial
  const now = () => ({ freeM: state.freeM, reservedM: state.openM })

  return {
    needs: ({ stream }) => stream === STOCK_STREAM,

    see(event) {
      if (event.stream !== STOCK_STREAM) return
      const change = event as RecordedEvent<InventoryEvent>
      state = inventory.evolve(state, change)
      const day = dayOf(change.data.at)
      const { setM, soldM } = days.get(day) ?? { setM: 0, soldM: 0 }
      days.set(day, { day, setM: setM + setBy(change), soldM: soldM + soldBy(change), ...now() })
    },

    rows: () => [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    now,
  }
}

function setBy({ type, data }: InventoryEvent): number {
  if (type === 'StockSet') return data.quantityM
  return type === 'StockAdjusted' ? data.differenceM : 0
}

function soldBy({ type, data }: InventoryEvent): number {
  return type === 'StockCommitted' ? data.quantityM : 0
}

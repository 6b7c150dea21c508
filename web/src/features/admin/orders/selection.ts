import { useState } from 'react'
import type { Order } from '#contract/order.ts'

interface Selection {
  readonly list: string
  readonly orders: ReadonlyMap<string, Order>
  /** A search found more than it lists. */
  readonly isCut: boolean
  /** The rows on the screen, kept so that no new row moves them under the pointer. */
  readonly held?: ReadonlySet<string> | undefined
}

/** The selected orders of a list, as they were when they were selected. A change of the list clears the selection. */
export function useSelection(list: string, now: readonly Order[]) {
  const [selection, select] = useState<Selection>()
  if (selection !== undefined && selection.list !== list) select({ list, orders: new Map(), isCut: false })
  const { orders = new Map<string, Order>(), isCut = false, held } = selection ?? {}
  const rows = held === undefined ? now : now.filter(({ id }) => held.has(id))
  const choose = (chosen: readonly Order[], isCut = false) =>
    select({
      list,
      orders: new Map(chosen.map((one) => [one.id, one])),
      isCut,
      held: chosen.length === 0 ? undefined : new Set(rows.map(({ id }) => id)),
    })
  return {
    rows,
    orders,
    isCut,
    choose,
    /** Undefined if selection is off. */
    ticks: selection && {
      ticked: orders,
      onTick: (order: Order, isTicked: boolean) =>
        choose([...[...orders.values()].filter(({ id }) => id !== order.id), ...(isTicked ? [order] : [])]),
    },
    forget: (done: readonly Order[]) => {
      const ids = new Set(done.map(({ id }) => id))
      select((before) => before && { ...before, orders: new Map([...before.orders].filter(([id]) => !ids.has(id))) })
    },
    release: () => select((before) => before && { ...before, held: undefined }),
    end: () => select(undefined),
  }
}

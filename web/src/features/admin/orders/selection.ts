import { useState } from 'react'
import type { Order } from '#contract/order.ts'

interface Selection {
  readonly list: string
  readonly orders: ReadonlyMap<string, Order>
  /** The size of the list, if too large to select all of it. */
  readonly outOf?: string | undefined
  /** The rows on the screen, kept so that no new row moves them under the pointer. */
  readonly held?: ReadonlySet<string> | undefined
}

/** The selected orders of a list. A change of the list clears the selection. */
export function useSelection(list: string, now: readonly Order[]) {
  const [selection, select] = useState<Selection>()
  if (selection !== undefined && selection.list !== list) select({ list, orders: new Map() })
  const { orders = new Map<string, Order>(), outOf, held } = selection ?? {}
  const rows = held === undefined ? now : now.filter(({ id }) => held.has(id))
  const choose = (chosen: readonly Order[], outOf?: string) =>
    select({
      list,
      orders: new Map(chosen.map((one) => [one.id, one])),
      outOf,
      held: chosen.length === 0 ? undefined : new Set(rows.map(({ id }) => id)),
    })
  return {
    rows,
    isOn: selection !== undefined,
    orders,
    outOf,
    choose,
    tick: (order: Order, isTicked: boolean) =>
      choose([...[...orders.values()].filter(({ id }) => id !== order.id), ...(isTicked ? [order] : [])]),
    forget: (done: readonly Order[]) => {
      const isLeft = ({ id }: Order) => !done.some((one) => one.id === id)
      select((before) => before && { ...before, orders: new Map([...before.orders].filter(([, one]) => isLeft(one))) })
    },
    release: () => select((before) => before && { ...before, held: undefined }),
    end: () => select(undefined),
  }
}

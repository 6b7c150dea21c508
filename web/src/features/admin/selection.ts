import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import type { Order } from '#contract/order.ts'
import { isLoggedOut } from '../../api/staff-session.ts'
import type { OrderChosen } from './each-dialog.tsx'

interface Kept {
  readonly of: string
  readonly orders: ReadonlyMap<string, OrderChosen>
  /** How many there are, where there were too many to select all. */
  readonly outOf?: string | undefined
}

interface SelectionOptions {
  /** Which list: another one begins with nothing selected. */
  readonly of: string
  readonly pages?: number
  /** What has left the list is no longer selected; otherwise a selected order may be beyond the pages read. */
  readonly isWhole?: boolean
  readonly isLoading?: boolean
}

/** The selected orders of a list, which is held still meanwhile, so that no row moves under the pointer. */
export function useSelection(
  name: string,
  now: readonly Order[],
  { of, pages = 1, isWhole = false, isLoading = false }: SelectionOptions,
) {
  const [kept, keep] = useKeptThroughLogin<Kept | undefined>(name, undefined)
  if (kept !== undefined && kept.of !== of) keep({ of, orders: new Map() })
  const orders = new Map(kept?.orders)
  if (isWhole) for (const id of orders.keys()) if (!now.some((one) => one.id === id)) orders.delete(id)

  const [held, hold] = useState<{ readonly list: string; readonly rows: readonly Order[] }>()
  const list = `${of} ${pages}`
  const isHeld = orders.size > 0 && !isLoading
  if (isHeld && held?.list !== list) hold({ list, rows: now })
  if (!isHeld && held !== undefined) hold(undefined)

  const choose = (these: readonly OrderChosen[], outOf?: string) =>
    keep({ of, orders: new Map(these.map((one) => [one.id, one])), outOf })
  return {
    ...heldRows(isHeld && held?.list === list ? held.rows : undefined, now),
    showAdded: () => hold({ list, rows: now }),
    isOn: kept !== undefined,
    orders,
    outOf: kept?.outOf,
    choose,
    tick: (order: OrderChosen, isTicked: boolean) =>
      choose([...[...orders.values()].filter(({ id }) => id !== order.id), ...(isTicked ? [order] : [])]),
    forget: (these: readonly OrderChosen[]) => {
      const isLeft = ({ id }: { readonly id: string }) => !these.some((one) => one.id === id)
      keep(
        (before) => before && { of: before.of, orders: new Map([...before.orders].filter(([, one]) => isLeft(one))) },
      )
      hold((before) => before && { ...before, rows: before.rows.filter(isLeft) })
    },
    end: () => keep(undefined),
  }
}

interface Row {
  readonly id: string
  readonly may: Readonly<Record<string, boolean>>
}

/** The rows in the places where they are held, as they are now; `added`: how many others there are. */
export function heldRows<T extends Row>(held: readonly T[] | undefined, now: readonly T[]) {
  if (held === undefined) return { rows: now, added: 0 }
  const fresh = new Map(now.map((one) => [one.id, one]))
  const known = new Set(held.map(({ id }) => id))
  return {
    rows: held.map((one) => fresh.get(one.id) ?? { ...one, may: nothingOf(one.may) }),
    added: now.filter(({ id }) => !known.has(id)).length,
  }
}

function nothingOf<May extends Row['may']>(may: May): May {
  return Object.fromEntries(Object.keys(may).map((name) => [name, false])) as May
}

const kept = new Map<string, unknown>()

/** State that is there again after the login, where the session ended elsewhere. */
function useKeptThroughLogin<T>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const [value, setValue] = useState(() => (kept.has(name) ? (kept.get(name) as T) : initial))
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  useEffect(() => {
    kept.delete(name)
    return () => {
      if (isLoggedOut()) kept.set(name, latest.current)
    }
  }, [name])
  return [value, setValue]
}

export function forgetKept(): void {
  kept.clear()
}

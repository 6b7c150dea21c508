import { useState } from 'react'

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

/** Holds a list still while rows of it are selected, so that none moves under the pointer. `of`: which list. */
export function useHeldRows<T extends Row>(now: readonly T[], { isHeld, of }: { isHeld: boolean; of: string }) {
  const [held, setHeld] = useState<{ readonly of: string; readonly rows: readonly T[] }>()
  if (isHeld && held?.of !== of) setHeld({ of, rows: now })
  if (!isHeld && held !== undefined) setHeld(undefined)
  return {
    ...heldRows(isHeld && held?.of === of ? held.rows : undefined, now),
    showAdded: () => setHeld({ of, rows: now }),
    drop: (ids: ReadonlySet<string>) =>
      setHeld((before) => before && { of: before.of, rows: before.rows.filter(({ id }) => !ids.has(id)) }),
  }
}

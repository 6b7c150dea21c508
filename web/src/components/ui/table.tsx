import type { ReactNode } from 'react'
import { useSyncExternalStore } from 'react'

export interface Column<Row> {
  readonly name: string
  /** Replaces the name in the head. */
  readonly head?: ReactNode
  /** Applies to the head and the cells. */
  readonly className?: string
  readonly cellClassName?: string
  readonly title?: (row: Row) => string
  readonly cell: (row: Row) => ReactNode
}

/** Class of a table inside a card: aligns its text with the card's title. */
export const inCard = '-mx-3 w-[calc(100%+24px)]! [&_td]:px-3 [&_th]:px-3 [&_thead]:static [&_thead]:bg-transparent'

interface TableProps<Row> {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** The one cell of a row on narrow windows. */
  line?: (row: Row) => ReactNode
  className?: string
}

const narrow = import.meta.env.SSR ? undefined : window.matchMedia('(width < 900px)')

/** Whether the window is too narrow for the columns of a staff list. */
function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow?.addEventListener('change', listener)
      return () => narrow?.removeEventListener('change', listener)
    },
    () => narrow?.matches === true,
  )
}

// A border would make a row higher than its 40 or 72 px.
const rowStyle = 'group shadow-[inset_0_-1px_0_var(--color-line)] last:shadow-none hover:bg-sunk'

/** A dense staff list: a sticky head over rows of 40 px, or on narrow windows lines of 72 px. */
export function Table<Row extends { readonly id: string }>({ columns, rows, line, className = '' }: TableProps<Row>) {
  const isNarrow = useNarrow()
  if (isNarrow && line !== undefined)
    return (
      <table className="w-full table-fixed">
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className={`h-18 ${rowStyle}`}>
              <td>{line(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )
  return (
    <table className={`w-full ${className}`}>
      <thead className="sticky top-0 z-10 bg-sunk text-left whitespace-nowrap text-muted shadow-[0_1px_0_var(--color-line)]">
        <tr>
          {columns.map(({ name, head = name, className: column = '' }) => (
            <th key={name} scope="col" className={`h-9 font-medium ${column}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className={`h-10 ${rowStyle}`}>
            {columns.map(({ name, className: column = '', cellClassName = '', title, cell }) => (
              <td key={name} className={`${column} ${cellClassName}`} title={title?.(row)}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly name: string
  /** Its cells have no label when rows are cards. */
  readonly isPlain?: boolean
  /** Replaces the name in the head. */
  readonly head?: ReactNode
  /** Applies to the head and the cells. */
  readonly className?: string
  readonly cellClassName?: string
  readonly title?: (row: Row) => string
  readonly cell: (row: Row) => ReactNode
}

/** Class of a table inside a card: aligns its text with the card's title. */
export const inCard = '-mx-3 w-[calc(100%+1.5rem)]! [&_td]:px-3 [&_th]:px-3 [&_thead]:static [&_thead]:bg-transparent'

interface TableProps<Row> {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  className?: string
}

/** A dense staff list: a sticky head over rows of 40 px. On narrow screens each row is a card. */
export function Table<Row extends { readonly id: string }>({ columns, rows, className = '' }: TableProps<Row>) {
  return (
    <table className={`cards w-full ${className}`}>
      <thead className="sticky top-0 z-10 bg-sunk text-left whitespace-nowrap text-muted shadow-[0_1px_0_var(--color-line)]">
        <tr>
          {columns.map(({ name, head = name, className: column = '' }) => (
            <th key={name} scope="col" className={`h-9 font-medium ${column}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row) => (
          <tr key={row.id} className="group h-10 hover:bg-sunk">
            {columns.map(({ name, isPlain = false, className: column = '', cellClassName = '', title, cell }) => (
              <td
                key={name}
                data-label={isPlain ? undefined : name}
                className={`${column} ${cellClassName}`}
                title={title?.(row)}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

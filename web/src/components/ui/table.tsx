import type { ReactNode } from 'react'

export interface Column<Row> {
  readonly name: string
  /** Its cells need no name next to them in a card. */
  readonly isPlain?: boolean
  /** Replaces the name in the head. */
  readonly head?: ReactNode
  /** For its head and its cells. */
  readonly className?: string
  readonly cellClassName?: string
  readonly title?: (row: Row) => string
  readonly cell: (row: Row) => ReactNode
}

/** For a table inside a card: its text lines up with the card's title. */
export const inCard = '-mx-3 w-[calc(100%+1.5rem)]! [&_td]:px-3 [&_th]:px-3 [&_thead]:static [&_thead]:bg-transparent'

interface TableProps<Row> {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  className?: string
}

/** For the staff's dense lists: a sticky head over rows of 40 px. If the table does not fit, each row is a card. */
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

import { usd as dollarsOf } from '../../domain/money.ts'

/** A column of a table for people; numbers stand on the right. */
export interface Shown<Row> {
  readonly title: string
  readonly of: (row: Row) => string
  readonly isNumber?: boolean
}

const whole = new Intl.NumberFormat('en-US')

export const count = (value: number): string => whole.format(value)
export const usd = (cents: number | null): string => (cents === null ? '-' : dollarsOf(cents))
export const percent = (share: number | null): string => (share === null ? '-' : `${(share * 100).toFixed(1)} %`)

export function tableOf<Row>(columns: readonly Shown<Row>[], rows: readonly Row[]): string {
  return tablesOf(columns)(rows)
}

/** The same, page by page: widths are those of the first page, and the titles stand over it alone. */
export function tablesOf<Row>(columns: readonly Shown<Row>[]): (rows: readonly Row[]) => string {
  let widths: readonly number[] | undefined
  return (rows) => {
    const cells = rows.map((row) => columns.map((column) => oneLineOf(column.of(row))))
    const titles = widths ? [] : [columns.map(({ title }) => title)]
    widths ??= columns.map(({ title }, at) => Math.max(title.length, ...cells.map((row) => row[at]?.length ?? 0)))
    return [...titles, ...cells].map((row) => `${lineOf(columns, widths ?? [], row)}\n`).join('')
  }
}

function lineOf<Row>(columns: readonly Shown<Row>[], widths: readonly number[], row: readonly string[]): string {
  return row
    .map((cell, at) => (columns[at]?.isNumber === true ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
    .join('  ')
    .trimEnd()
}

function oneLineOf(cell: string): string {
  return cell.replaceAll(/\s+/g, ' ')
}

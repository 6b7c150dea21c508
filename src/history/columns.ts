import { stringify } from 'csv-stringify/sync'

/** How a notebook reads a column; `timestamp` is ISO text in UTC, `date` a day of the shop's own clock, `json` text that holds JSON. */
export type ColumnType = 'integer' | 'text' | 'boolean' | 'timestamp' | 'date' | 'json'

export interface Column {
  readonly name: string
  readonly type: ColumnType
  readonly says: string
  /** Says who the buyer is: only with `--reveal`, and empty once the person is erased. */
  readonly isPersonal?: true
}

export type Value = string | number | boolean | null
/** In the order of the columns. */
export type Row = readonly Value[]

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** The first line, where the format has one. */
export function headOf(format: Format, columns: readonly Column[]): string {
  return format === 'csv' ? `${columns.map(({ name }) => name).join(',')}\n` : ''
}

/** Each row is one line, whatever stands in its texts. */
export function textOf(format: Format, columns: readonly Column[], rows: readonly Row[]): string {
  return format === 'csv' ? csvOf(rows) : rows.map((row) => jsonOf(columns, row)).join('')
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
function csvOf(rows: readonly Row[]): string {
  return stringify(
    rows.map((row) => row.map((value) => (typeof value === 'string' ? value.replaceAll(/[\r\n]+/g, ' ') : value))),
    { escape_formulas: true, cast: { boolean: String } },
  )
}

function jsonOf(columns: readonly Column[], row: Row): string {
  const fields = columns.map(({ name, type }, index) => {
    const value = row[index] ?? null
    return `${JSON.stringify(name)}:${type === 'json' && value !== null ? String(value) : JSON.stringify(value)}`
  })
  return `{${fields.join(',')}}\n`
}

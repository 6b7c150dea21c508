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

/** Whether an export of these columns may begin like this, also where it was cut in its first line. */
export function isBegunAs(format: Format, columns: readonly Column[], beginning: string): boolean {
  const head = format === 'csv' ? headOf(format, columns) : ROW_BEGINS
  const end = beginning.indexOf('\n')
  if (format === 'csv' || end < 0) return head.startsWith(beginning.slice(0, head.length))
  return keysOf(beginning.slice(0, end)).join() === columns.map(({ name }) => name).join()
}

const ROW_BEGINS = '{"position":'

function keysOf(line: string): string[] {
  try {
    return Object.keys(Object(JSON.parse(line)))
  } catch {
    return []
  }
}

/** One line for each row: line breaks in texts become spaces or escapes. */
export function textOf(format: Format, columns: readonly Column[], rows: readonly Row[]): string {
  return format === 'csv' ? csvOf(columns, rows) : rows.map((row) => jsonOf(columns, row)).join('')
}

/**
 * A text that a spreadsheet would take for a formula begins with an apostrophe. Texts stand in quotes, and moments do not: so a spreadsheet can tell the text
 * of an id from a number.
 */
function csvOf(columns: readonly Column[], rows: readonly Row[]): string {
  const isMoment = columns.map(({ type }) => type === 'timestamp' || type === 'date')
  const cellOf = (value: Value, at: number): Value | Unquoted => {
    if (typeof value !== 'string') return value
    return isMoment[at] === true ? { unquoted: value } : value.replaceAll(/[\r\n]+/g, ' ')
  }
  return stringify(
    rows.map((row) => row.map(cellOf)),
    {
      escape_formulas: true,
      quoted_string: true,
      cast: { boolean: String, object: ({ unquoted }) => String(unquoted) },
    },
  )
}

interface Unquoted {
  readonly unquoted: string
}

function jsonOf(columns: readonly Column[], row: Row): string {
  const fields = columns.map(({ name, type }, index) => {
    const value = row[index] ?? null
    return `${JSON.stringify(name)}:${type === 'json' && value !== null ? String(value) : JSON.stringify(value)}`
  })
  return `{${fields.join(',')}}\n`
}

import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { stringify } from 'csv-stringify/sync'
import { csvText } from '../../ports/csv-text.ts'
import { questions } from '../../history/questions.ts'
import { UsageError } from '../program.ts'

/** Rows per write; the first page sets the column widths of a table. */
const PAGE = 1_000
const NAME = /^[\w-]+$/

type Cell = string | number | bigint | null | Uint8Array

/** Prints the result of one of the shop's questions, or of any query, on an exported file. */
export async function askHistory(
  file: string,
  asked: string,
  { csv = false }: { csv?: boolean | undefined },
): Promise<void> {
  const query = queryOf(asked)
  if (!existsSync(file)) throw new UsageError(`there is no ${file}: history export makes it`)
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const statement = database.prepare(query)
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    const textOf = csv ? csvOf : table()
    let rows: (readonly Cell[])[] = [statement.columns().map(({ name }) => name)]
    for (const row of statement.iterate()) {
      rows.push(row as unknown as Cell[])
      if (rows.length < PAGE) continue
      await say(textOf(rows))
      rows = []
    }
    await say(textOf(rows))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) throw error
    throw new Error(`SQLite: ${error.message}`, { cause: error })
  } finally {
    database.close()
  }
}

function queryOf(asked: string): string {
  if (!NAME.test(asked)) return asked
  const question = questions().find(({ name }) => name === asked)
  if (question) return question.sql
  const names = questions().map(({ name }) => name)
  throw new UsageError(`no question '${asked}': ${names.join(', ')}, or a query in quotes`)
}

/** One line for each row; text that a spreadsheet would take for a formula begins with an apostrophe. */
function csvOf(rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? csvText(cell.replaceAll(/[\r\n]+/g, ' ')) : printable(cell))),
  )
  return stringify(cells, { escape_formulas: true, quoted_string: true })
}

function table(): typeof csvOf {
  let widths: readonly number[] | undefined
  return (rows) => {
    // Control characters in a text could overwrite the terminal.
    const cells = rows.map((row) => row.map((cell) => String(printable(cell) ?? '').replaceAll(/\p{Cc}+/gu, ' ')))
    const known = (widths ??= (cells[0] ?? []).map((_, at) =>
      cells.reduce((width, row) => Math.max(width, row[at]?.length ?? 0), 0),
    ))
    return rows
      .map((row, line) => {
        const padded = row.map((value, at) => {
          const [cell = '', width = 0] = [cells[line]?.[at], known[at]]
          return typeof value === 'string' ? cell.padEnd(width) : cell.padStart(width)
        })
        return `${padded.join('  ').trimEnd()}\n`
      })
      .join('')
  }
}

function printable(cell: Cell): string | number | bigint | null {
  return cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell
}

/** Waits for a slow reader. */
async function say(text: string): Promise<void> {
  if (text !== '' && !process.stdout.write(text)) await new Promise((resolve) => process.stdout.once('drain', resolve))
}

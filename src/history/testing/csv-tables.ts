import { DatabaseSync } from 'node:sqlite'
import type { Column } from '../columns.ts'

/** The cells of a CSV text, line by line. */
export function cellsOf(text: string): string[][] {
  const lines: string[][] = [[]]
  const cells = text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)
  for (const [, quoted, plain = '', end] of cells) {
    lines.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '\n') lines.push([])
  }
  return lines.slice(0, -1)
}

/** A database of such files, as a notebook makes it: an empty cell is NULL, and each column has its type. */
export function databaseOf(tables: Readonly<Record<string, { text: string; columns: readonly Column[] }>>) {
  const database = new DatabaseSync(':memory:')
  for (const [table, { text, columns }] of Object.entries(tables)) {
    const [head = [], ...rows] = cellsOf(text)
    database.exec(`CREATE TABLE ${table} (${head.join(', ')})`)
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${head.map(() => '?').join(', ')})`)
    for (const row of rows) insert.run(...row.map((cell, at) => valueOf(cell, columns[at])))
  }
  return database
}

function valueOf(cell: string, column: Column | undefined): string | number | null {
  if (cell === '') return null
  if (column?.type === 'integer') return Number(cell)
  return column?.type === 'boolean' ? Number(cell === 'true') : cell
}

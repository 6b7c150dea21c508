import { DatabaseSync } from 'node:sqlite'
import { eventOf, EVENT, type EventRow } from '../../event-store/sqlite-rows.ts'

// `node look-into-sqlite.ts <file> [whole]`: a separate process, since a check of a large file can only be stopped by killing it. Prints one fact per line;
// `whole`: only what is wrong with all of its pages and indexes.
const WRONG_MAX = 100
const SAMPLED = 300
const [file = '', how] = process.argv.slice(2)
const database = new DatabaseSync(file, { readOnly: true })
database.exec('PRAGMA busy_timeout = 2000')
const only = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0]
const say = (fact: string, value: unknown): boolean => process.stdout.write(`${fact} ${String(value)}\n`)
if (how === 'whole') checkWhole()
else look()
database.close()

function look(): void {
  say('version', only('SELECT sqlite_version()'))
  say('journal', only('PRAGMA journal_mode'))
  // The log's head and its time, or the head as the vault has it.
  if (has('events')) {
    const newest = database
      .prepare('SELECT position, recorded_at AS recordedAt FROM events ORDER BY position DESC LIMIT 1')
      .get()
    if (newest) {
      say('head', newest['position'])
      say('recorded', newest['recordedAt'])
      sample(Number(newest['position']))
    }
  }
  if (has('customers') && has('marks')) {
    const known = database.prepare("SELECT value FROM marks WHERE name = 'log-head'").get()
    if (known) say('known-head', known['value'])
  }
  say('check', only('PRAGMA quick_check(1)'))
}

/** The newest event, and others spread over the log, each against its checksum. */
function sample(head: number): void {
  const statement = database.prepare(`SELECT ${EVENT} FROM events WHERE position = ?`)
  statement.setReturnArrays(true)
  const step = Math.max(1, Math.ceil(head / SAMPLED))
  let events = 0
  for (let position = head; position > 0; position -= step) {
    events += 1
    const row = statement.get(position) as unknown as EventRow | undefined
    if (row === undefined || eventOf(row) === undefined) return void say('changed', position)
  }
  say('sampled', events)
}

function checkWhole(): void {
  const rows = database.prepare(`PRAGMA integrity_check(${WRONG_MAX})`).all()
  for (const row of rows) for (const line of String(Object.values(row)[0]).split('\n')) say('check', line)
}

function has(table: string): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined
}

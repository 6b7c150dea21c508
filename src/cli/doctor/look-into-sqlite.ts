import { DatabaseSync } from 'node:sqlite'

// `node look-into-sqlite.ts <file>`: a separate process, since a check of a large file can only be stopped by killing it. Prints one fact per line.
const [file = ''] = process.argv.slice(2)
const database = new DatabaseSync(file, { readOnly: true })
database.exec('PRAGMA busy_timeout = 2000')
const only = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0]
process.stdout.write(`version ${String(only('SELECT sqlite_version()'))}\n`)
process.stdout.write(`journal ${String(only('PRAGMA journal_mode'))}\n`)
const has = (table: string): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined
// The log's head and its time, or the head as the vault has it.
if (has('events')) {
  const newest = database
    .prepare('SELECT position, recorded_at AS recordedAt FROM events ORDER BY position DESC LIMIT 1')
    .get()
  if (newest) process.stdout.write(`head ${String(newest['position'])}\nrecorded ${String(newest['recordedAt'])}\n`)
}
if (has('customers') && has('marks')) {
  const known = database.prepare("SELECT value FROM marks WHERE name = 'log-head'").get()
  if (known) process.stdout.write(`known-head ${String(known['value'])}\n`)
}
process.stdout.write(`check ${String(only('PRAGMA quick_check(1)'))}\n`)
database.close()

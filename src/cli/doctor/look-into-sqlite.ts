import { DatabaseSync } from 'node:sqlite'

// `node look-into-sqlite.ts <file>`: a process of its own, since a check of a large file can only be stopped with it. Each line is one fact.
const [file = ''] = process.argv.slice(2)
const database = new DatabaseSync(file, { readOnly: true })
database.exec('PRAGMA busy_timeout = 2000')
const only = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0]
process.stdout.write(`version ${String(only('SELECT sqlite_version()'))}\n`)
process.stdout.write(`journal ${String(only('PRAGMA journal_mode'))}\n`)
process.stdout.write(`check ${String(only('PRAGMA quick_check(1)'))}\n`)
database.close()

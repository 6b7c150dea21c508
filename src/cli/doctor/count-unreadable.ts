import { DatabaseSync } from 'node:sqlite'
import { BUYERS_KNOWN } from '../../shop/known-buyers.ts'

// `node count-unreadable.ts <events> <vault>`: prints `unreadable <orders>`. A separate process, since a long question can only be stopped by killing it.
const [events = '', vault = ''] = process.argv.slice(2)
const database = new DatabaseSync(events, { readOnly: true })
database.exec('PRAGMA busy_timeout = 2000')
// Read-only like the file that it is attached to.
database.prepare('ATTACH ? AS vault').run(vault)
const { orders } = database
  .prepare(
    `SELECT count(*) AS orders FROM events
     WHERE type = 'OrderPlaced'
     AND position > coalesce((SELECT CAST(value AS INTEGER) FROM vault.marks WHERE name = ?), 0)
     AND NOT EXISTS (SELECT 1 FROM vault.customers WHERE customer_id = json_extract(data, '$.customerId'))`,
  )
  .get(BUYERS_KNOWN) as { orders: number }
process.stdout.write(`unreadable ${orders}\n`)
database.close()

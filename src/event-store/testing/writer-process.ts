import { AppendConflict, NO_EVENTS } from '../event-store.ts'
import { sqliteEventStore } from '../sqlite-event-store.ts'
import { someEvent } from './some-events.ts'

// `node writer-process.ts <file> <stream> <count>`: opens the log, says so, and when it gets a line appends `count` events one by one,
// racing with whoever else writes to the stream; every answered append is one line: `<revision> <id>`.
const [file = '', stream = '', count = '0'] = process.argv.slice(2)
const store = sqliteEventStore(file)
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))

let past = NO_EVENTS
for (let won = 0; won < Number(count);) {
  const event = someEvent()
  try {
    const { revision } = await store.append(stream, past, [event])
    process.stdout.write(`${revision} ${event.id}\n`)
    past = revision
    won += 1
  } catch (error) {
    if (!(error instanceof AppendConflict)) throw error
    past = error.actualRevision ?? past
  }
}
await store.close()
process.stdin.destroy()

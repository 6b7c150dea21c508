import { AppendConflict, NO_EVENTS } from '../event-store.ts'
import { sqliteEventStore } from '../sqlite-event-store.ts'
import { someEvent } from './some-events.ts'

// `node writer-process.ts <file> <stream> <count>`: opens the log, prints so, and on a line of input appends `count` events one by one,
// racing with other writers of the stream; prints `<revision> <id>` for every answered append.
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

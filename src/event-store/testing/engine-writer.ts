import { NO_EVENTS } from '../event-store.ts'
import { eventstoredbEventStore } from '../eventstoredb-event-store.ts'
import { someEvent, someStream } from './some-events.ts'

// `node engine-writer.ts <address> [milliseconds]`: appends one event by a clock that is so late, prints its revision, and returns.
const [url = '', lateMs = '0'] = process.argv.slice(2)
const { Date: Now } = globalThis
const now = (): number => Now.now() - Number(lateMs)
globalThis.Date = class extends Now {
  static override now = now
  constructor(...given: [] | [number]) {
    super(given[0] ?? now())
  }
} as DateConstructor
const store = eventstoredbEventStore({ url })
const { revision } = await store.append(someStream(), NO_EVENTS, [someEvent()])
process.stdout.write(`revision ${revision}\n`)
await store.close()
// Uptime after which it is said to have stayed.
setTimeout(() => {
  process.stdout.write('still running\n')
  process.exit(0)
}, 5_000).unref()

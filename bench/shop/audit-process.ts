import { readFileSync } from 'node:fs'
import { parseConfig } from '../../src/config.ts'
import { openEngines } from '../../src/engines.ts'
import type { RecordedEvent } from '../../src/event-store/event-log.ts'
import { booksAudit, eventsOf } from '../../src/testing/audit-books.ts'
import { percentilesOf } from '../statistics.ts'
import type { Audit } from './books.ts'

/* Runs beside the bench, so that a log of a million orders does not fill the memory of the generator. */

const PROBLEMS_TOLD_MAX = 10
const TOLD_EVERY = 1_000_000

const [dataDir = '', atRest = 'false'] = process.argv.slice(2)
const acknowledged = readFileSync(0, 'utf8').split('\n').filter(Boolean)
const engines = await openEngines(parseConfig({ DATA_DIR: dataDir }))
try {
  const audit = booksAudit({ atRest: atRest === 'true' })
  const times = deliveryTimes()
  let events = 0
  for await (const event of eventsOf(engines.log)) {
    events += 1
    audit.see(lean(event))
    times.see(event)
    if (events % TOLD_EVERY === 0) process.stderr.write(`${events.toLocaleString('en-US')} events audited\n`)
  }
  const books = audit.books()
  const lost = acknowledged.filter((orderId) => !books.orders.has(orderId))
  const problems = [...books.problems, ...lost.map((orderId) => `order ${orderId} was acknowledged and is not there`)]
  const found: Audit = {
    events,
    orders: books.orders.size,
    problems: problems.slice(0, PROBLEMS_TOLD_MAX),
    problemCount: problems.length,
    ...times.told(),
  }
  process.stdout.write(JSON.stringify(found))
} finally {
  await engines.close()
}

/** Without what is kept of an order and no audit asks for. */
function lean(event: RecordedEvent): RecordedEvent {
  if (event.type === 'OrderPlaced') return { ...event, data: { ...event.data, personal: '', requestHash: '' } }
  if (event.type === 'PaymentStarted') return { ...event, data: { ...event.data, url: null, intents: null } }
  return event
}

/** How long orders took from placed to completed, and how fast money was confirmed, by the times that the log has recorded. */
function deliveryTimes() {
  const placedAt = new Map<string, number>()
  const deliveryMs: number[] = []
  let firstReceivedAt: number | undefined
  let lastReceivedAt = 0
  let received = 0

  return {
    see({ type, stream, recordedAt }: RecordedEvent): void {
      if (type === 'OrderPlaced') placedAt.set(stream, recordedAt)
      if (type === 'OrderCompleted') {
        deliveryMs.push(recordedAt - (placedAt.get(stream) ?? 0))
        placedAt.delete(stream)
      }
      if (type !== 'PaymentReceived') return
      firstReceivedAt ??= recordedAt
      lastReceivedAt = recordedAt
      received += 1
    },
    told(): Pick<Audit, 'deliveryMs' | 'confirmationsPerSecond'> {
      const spanMs = lastReceivedAt - (firstReceivedAt ?? lastReceivedAt)
      return {
        ...(deliveryMs.length > 0 && { deliveryMs: percentilesOf(deliveryMs) }),
        ...(spanMs > 0 && { confirmationsPerSecond: (1_000 * (received - 1)) / spanMs }),
      }
    },
  }
}

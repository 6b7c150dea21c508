import { readFileSync } from 'node:fs'
import { parseConfig } from '../../src/config.ts'
import { openEngines } from '../../src/engines.ts'
import type { EventLog, RecordedEvent } from '../../src/event-store/event-log.ts'
import { type Position, START } from '../../src/event-store/event-store.ts'
import { auditBooks } from '../../src/testing/audit-books.ts'
import { percentilesOf } from '../statistics.ts'
import type { Audit } from './books.ts'

/* Runs beside the bench, so that a log of a million orders does not fill the memory of the generator. */

const PAGE = 5_000
const PROBLEMS_TOLD_MAX = 10

const [dataDir = '', atRest = 'false'] = process.argv.slice(2)
const acknowledged = readFileSync(0, 'utf8').split('\n').filter(Boolean)
const engines = await openEngines(parseConfig({ DATA_DIR: dataDir }))
try {
  const events = await leanEvents(engines.log)
  const books = auditBooks(events, { atRest: atRest === 'true' })
  const lost = acknowledged.filter((orderId) => !books.orders.has(orderId))
  const problems = [...books.problems, ...lost.map((orderId) => `order ${orderId} was acknowledged and is not there`)]
  const audit: Audit = {
    events: events.length,
    orders: books.orders.size,
    problems: problems.slice(0, PROBLEMS_TOLD_MAX),
    problemCount: problems.length,
    ...deliveries(events),
  }
  process.stdout.write(JSON.stringify(audit))
} finally {
  await engines.close()
}

/** Every event of the log, without what an audit does not ask for. */
async function leanEvents(log: EventLog): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = []
  const metadata = { correlationId: '', causationId: null, actor: 'system' } as const
  let after: Position = START
  for (;;) {
    const page = await log.readAll({ after, limit: PAGE })
    for (const event of page) {
      if (event.type === 'unreadable') throw new Error(`${event.storedType} at ${event.position}: ${event.reason}`)
      after = event.position
      events.push({ ...lean(event), id: '', position: '', metadata })
    }
    if (page.length < PAGE) return events
  }
}

function lean(event: RecordedEvent): RecordedEvent {
  if (event.type === 'OrderPlaced') return { ...event, data: { ...event.data, personal: '', requestHash: '' } }
  if (event.type === 'PaymentStarted') return { ...event, data: { ...event.data, url: null, intents: null } }
  return event
}

/** How long orders took from placed to completed, and how fast money was confirmed, by the times that the log has recorded. */
function deliveries(events: readonly RecordedEvent[]): Pick<Audit, 'deliveryMs' | 'confirmationsPerSecond'> {
  const placedAt = new Map<string, number>()
  const deliveryMs: number[] = []
  const receivedAt: number[] = []
  for (const event of events) {
    if (event.type === 'OrderPlaced') placedAt.set(event.stream, event.recordedAt)
    if (event.type === 'OrderCompleted') deliveryMs.push(event.recordedAt - (placedAt.get(event.stream) ?? 0))
    if (event.type === 'PaymentReceived') receivedAt.push(event.recordedAt)
  }
  const spanMs = (receivedAt.at(-1) ?? 0) - (receivedAt[0] ?? 0)
  return {
    ...(deliveryMs.length > 0 && { deliveryMs: percentilesOf(deliveryMs) }),
    ...(spanMs > 0 && { confirmationsPerSecond: (1_000 * (receivedAt.length - 1)) / spanMs }),
  }
}

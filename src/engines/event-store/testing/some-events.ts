import { randomUUID } from 'node:crypto'
import type { EventStore, EventToAppend, StoredEvent } from '../event-store.ts'
import { NO_EVENTS, START } from '../event-store.ts'
import { logPages } from '../../../log/log-pages.ts'

export function someEvent(data: object = { orderId: randomUUID() }): EventToAppend {
  const metadata = JSON.stringify({ correlationId: randomUUID() })
  return { id: randomUUID(), type: 'OrderPlaced', version: 1, data: JSON.stringify(data), metadata }
}

export const someEvents = (count: number): EventToAppend[] => Array.from({ length: count }, () => someEvent())

export const someStream = (): string => `order-${randomUUID()}`

/** A new stream with these events. */
export async function startStream(store: EventStore, events: readonly EventToAppend[]): Promise<string> {
  const stream = someStream()
  await store.append(stream, NO_EVENTS, events)
  return stream
}

export async function everything(store: EventStore, { after = START, limit = 1_000 } = {}): Promise<StoredEvent[]> {
  const pages = logPages(async (page) => store.readAll(page), { after, limit })
  return (await Array.fromAsync(pages)).flat()
}

export async function wholeStream(store: EventStore, stream: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for (;;) {
    const page = await store.readStream(stream, { fromRevision: events.length, limit: 1_000 })
    if (page.length === 0) return events
    events.push(...page)
  }
}

export const idsOf = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id)

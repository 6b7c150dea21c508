import { EventStoreDBClient, START as FIRST } from '@eventstore/db-client'
import { START } from '../../src/event-store/event-store.ts'
import { eventstoredbEventStore } from '../../src/event-store/eventstoredb-event-store.ts'
import type { Round } from '../figures.ts'

/** As the projector reads. */
const PAGE = 1_000

/** The whole log in pages, each event checked, as every reader of the shop gets it; with the number of `events`. */
export async function engineCatchUp(url: string): Promise<Round & { readonly events: number }> {
  const store = eventstoredbEventStore({ url })
  let events = 0
  try {
    const read = await eventsPerSecond(async () => {
      for (let after = START; ;) {
        const page = await store.readAll({ after, limit: PAGE })
        const last = page.at(-1)
        if (!last) return events
        events += page.length
        after = last.position
      }
    })
    return { read, subscribed: read, events }
  } finally {
    await store.close()
  }
}

/** One read of all, and one subscription to all up to its newest event. */
export async function clientCatchUp(url: string): Promise<Round> {
  const client = EventStoreDBClient.connectionString(url)
  try {
    let total = 0
    const read = await eventsPerSecond(async () => {
      for await (const { event } of client.readAll({ fromPosition: FIRST })) if (event) total += 1
      return total
    })
    const subscribed = await eventsPerSecond(async () => {
      const subscription = client.subscribeToAll({ fromPosition: FIRST })
      let events = 0
      for await (const { event } of subscription) {
        if (event) events += 1
        if (events === total) break
      }
      await subscription.unsubscribe()
      return events
    })
    return { read, subscribed }
  } finally {
    await client.dispose()
  }
}

async function eventsPerSecond(read: () => Promise<number>): Promise<number> {
  const beganAt = performance.now()
  const events = await read()
  return (1_000 * events) / (performance.now() - beganAt)
}

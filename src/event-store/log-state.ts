import * as z from 'zod'
import type { EventStore } from './event-store.ts'

const STREAM = 'log-state'
const NO_EVENT = '00000000-0000-0000-0000-000000000000'
const SCHEMA_VERSION = 1

const stateSchema = z.discriminatedUnion('is', [
  z.object({ is: z.literal('whole') }),
  z.object({ is: z.literal('copying') }),
  z.object({ is: z.literal('moved'), to: z.string() }),
])

/**
 * `whole`: a shop may run on it. `copying`: a copy that is not finished. `moved`: the shop goes on with its copy at `to`, an address without
 * credentials or a folder.
 */
export type LogState = z.infer<typeof stateSchema>

/** Kept as a snapshot, beside the log and not in it: a copy has the same events. */
export async function logState(store: Pick<EventStore, 'readSnapshot'>): Promise<LogState> {
  const snapshot = await store.readSnapshot(STREAM)
  return snapshot === undefined ? { is: 'whole' } : stateSchema.parse(JSON.parse(snapshot.state))
}

export async function setLogState(store: Pick<EventStore, 'writeSnapshot'>, state: LogState): Promise<void> {
  const snapshot = { schemaVersion: SCHEMA_VERSION, revision: 0, eventId: NO_EVENT, state: JSON.stringify(state) }
  await store.writeSnapshot(STREAM, snapshot)
}

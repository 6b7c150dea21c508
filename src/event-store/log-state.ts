import * as z from 'zod'
import { type EventStore, EventStoreDamaged } from './event-store.ts'

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

/** Kept beside the log and not in it: a copy has the same events. */
export async function logState(store: Pick<EventStore, 'readNote'>): Promise<LogState> {
  const note = await store.readNote()
  if (note === undefined) return { is: 'whole' }
  const { data } = stateSchema.safeParse(jsonOf(note))
  if (data) return data
  throw new EventStoreDamaged('the note beside the log is not what was written: restore the newest backup')
}

export async function setLogState(store: Pick<EventStore, 'writeNote'>, state: LogState): Promise<void> {
  await store.writeNote(JSON.stringify(state))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import type { EventLog } from '../../event-store/event-log.ts'
import { START } from '../../event-store/event-store.ts'
import type { Projection } from '../../projections/projection.ts'
import { lagText, viewLag } from '../../projector/lag.ts'
import { namedSets, readRegistry, setsOf } from '../../projector/registry.ts'
import type { ViewStore } from '../../view-store/view-store.ts'

const MB = 1_000_000

/** A line for each set, with its documents that are set aside below it. Reads only. */
export async function listSets({
  log,
  store,
  shape: ownShape,
  projections,
  now,
}: {
  readonly log: Pick<EventLog, 'head' | 'readAllStored'>
  readonly store: ViewStore
  readonly shape: string
  readonly projections: readonly Projection[]
  readonly now: () => number
}): Promise<string[]> {
  const registry = await readRegistry(store)
  const lines: string[] = []
  for (const [shape, entry] of Object.entries(registry))
    for (const set of setsOf(entry)) {
      const state = await store.stateOf(set)
      const position = async (): Promise<string> => state?.checkpoint ?? START
      const lag = await viewLag({ log, views: { position, broken: async () => [] }, projections: [], now })
      const bytes = await store.bytes(set)
      const parts = [
        `${set}: ${set === entry.serving ? 'serves' : set === entry.building ? 'being built' : 'former'}`,
        ...(shape === ownShape ? [] : ['of another release or time zone']),
        state ? (lagText(lag) ?? 'up to date') : 'not there',
        ...(bytes === undefined ? [] : [`${(bytes / MB).toFixed(1)} MB`]),
      ]
      lines.push(parts.join(', '))
      if (state && shape === ownShape)
        for (const collection of projections)
          for (const { id, reason } of await store.broken({ set, collection }))
            lines.push(`  set aside: ${collection.name} ${id}: ${reason}`)
    }
  const named = new Set(namedSets(registry))
  for (const set of await store.found())
    if (!named.has(set)) lines.push(`${set}: left over, dropped by the running shop`)
  return lines.length === 0 ? ['no views are there: a running shop builds them'] : lines
}

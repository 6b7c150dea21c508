import { isDeepStrictEqual } from 'node:util'
import type { EventLog, RecordedEvent } from '../log/event-log.ts'
import type { Projection } from '../projections/projection.ts'
import { cleanFold, storedBody } from '../projector/testing/clean-fold.ts'
import { viewReader } from '../projector/view-reader.ts'
import type { ViewStore } from '../engines/view-store/view-store.ts'

/** Whatever happened to its runners, a view equals all events folded once, in order. */
export async function auditViews(
  shop: { store: ViewStore; shape: string; projections: readonly Projection[]; log: EventLog; now: () => number },
  events: readonly RecordedEvent[],
): Promise<string[]> {
  const { projections, log } = shop
  const views = viewReader(shop)
  const opened = await log.openPersonal(events)
  const problems: string[] = []
  for (const projection of projections) {
    const clean = cleanFold(projection, events, opened)
    const stored = await views.load(projection.name, [...clean.keys()])
    for (const [id, { body, isBroken }] of clean) {
      const document = stored.get(id)
      if (isBroken) problems.push(`${projection.name}/${id} is broken by an event`)
      // Views are stored as JSON, which has no undefined.
      else if (!isDeepStrictEqual(plain(document?.body), plain(storedBody(projection, body))))
        problems.push(`${projection.name}/${id} is not what the log makes of it`)
    }
    problems.push(...auditErased(projection, clean, events, opened))
  }
  return problems
}

/** An erasure leaves orders, money and counts unchanged. */
function auditErased(
  projection: Projection,
  clean: ReturnType<typeof cleanFold>,
  events: readonly RecordedEvent[],
  opened: Parameters<typeof cleanFold>[2],
): string[] {
  const others = events.filter(({ type }) => type !== 'CustomerErased')
  if (projection.isPersonal || others.length === events.length) return []
  const before = cleanFold(projection, others, opened)
  const changed = [...before].filter(([id, { body }]) => !isDeepStrictEqual(plain(clean.get(id)?.body), plain(body)))
  return changed.map(([id]) => `${projection.name}/${id} is another since somebody was erased`)
}

function plain(body: unknown): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body))
}

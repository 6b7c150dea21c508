import type { ShopEvent } from '../../domain/events.ts'
import type { RecordedEvent } from '../../log/event-log.ts'
import type { OpenedBuyers } from '../fold.ts'
import type { LogEvent, Projection } from '../../projections/projection.ts'
import { streamOf } from '../../projections/testing/shop-log.ts'

export interface FoldedDocument {
  readonly body: unknown
  readonly isBroken: boolean
}

/** The reference for a view: every event folded once, in order. Leaves out pages, positions and crashes. */
export function cleanFold(
  projection: Projection,
  events: readonly LogEvent[],
  opened: OpenedBuyers = new Map(),
): Map<string, FoldedDocument> {
  const documents = new Map<string, FoldedDocument>()
  for (const event of events)
    for (const id of new Set(projection.keys(event))) {
      const before = documents.get(id)
      if (before?.isBroken) continue
      documents.set(id, foldedInto(before))

      function foldedInto(standing: FoldedDocument | undefined): FoldedDocument {
        const body = standing?.body
        const isTombstone = standing !== undefined && body === undefined
        try {
          if (event.type === 'unreadable') throw new Error('unreadable')
          const buyer = projection.opens?.(event) ? opened.get(event.id) : undefined
          if (buyer instanceof Error) throw buyer
          return { body: projection.evolve({ id, body, isTombstone, opened: buyer }, event), isBroken: false }
        } catch {
          return { body, isBroken: true }
        }
      }
    }
  return documents
}

/** A folded document as a store has it. */
export function storedBody({ form }: Projection, body: unknown): unknown {
  return form && body !== undefined ? form.toStored(body) : body
}

/** Events as the log gives them, without a log: each in its own stream. */
export function recorded(...events: readonly ShopEvent[]): RecordedEvent[] {
  const revisions = new Map<string, number>()
  return events.map((event, index) => {
    const stream = streamOf(event)
    const revision = revisions.get(stream) ?? 0
    revisions.set(stream, revision + 1)
    const metadata = { correlationId: 'request', causationId: null, actor: 'buyer' } as const
    const position = String(index + 1).padStart(20, '0')
    return { ...event, stream, revision, position, recordedAt: index, id: `event-${index}`, metadata }
  })
}

/** The bodies of a view's documents after these events. */
export function bodiesAfter<Body>(projection: Projection<Body>, ...events: readonly ShopEvent[]): Map<string, Body> {
  const documents = [...cleanFold(projection, recorded(...events))]
  return new Map(documents.flatMap(([id, { body }]) => (body === undefined ? [] : [[id, body as Body]])))
}

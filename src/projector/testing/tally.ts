import type { Projection } from '../../projections/projection.ts'

export interface TallyDocument {
  readonly events: number
}

/** The smallest view: how many events each stream has. */
export function tally(changes: Partial<Projection<TallyDocument>> = {}): Projection<TallyDocument> {
  return {
    name: 'tally',
    fields: { events: 'number' },
    indexes: [['events']],
    keys: ({ stream }) => [stream],
    evolve: ({ body }) => ({ events: (body?.events ?? 0) + 1 }),
    ...changes,
  }
}

import { expect, it } from 'vitest'
import { completed } from '../domain/testing/order-samples.ts'
import type { Projection } from '../projections/projection.ts'
import { recorded } from './testing/clean-fold.ts'
import type { ViewDocument } from '../engines/view-store/view-store.ts'
import { type OpenedBuyers, pageFold } from './fold.ts'

const names: Projection<readonly string[]> = {
  name: 'names',
  fields: {},
  indexes: [],
  keys: () => ['names'],
  evolve: ({ body = [] }, { stream }) => (body.includes(stream) ? body : [...body, stream]),
}

function fold(
  projection: Projection,
  events: ReturnType<typeof recorded>,
  {
    stored = [],
    checkpoint = '',
    opened = new Map(),
  }: { stored?: readonly ViewDocument[]; checkpoint?: string; opened?: OpenedBuyers } = {},
): readonly ViewDocument[] {
  const { parts } = pageFold([projection], { after: checkpoint, events, opened })
  return parts.flatMap(({ fold }) => fold(new Map(stored.map((each) => [each.id, each])), checkpoint))
}

it('an unchanged document is not written, and each is folded from its own position on', () => {
  const [anna, otto, vera] = recorded(...['anna', 'otto', 'vera'].map((orderId) => completed({ orderId })))
  if (!anna || !otto || !vera) throw new Error('there are three events')
  const again = { ...otto, stream: anna.stream }
  const stored = fold(names, [anna, again])
  expect(stored).toEqual([{ id: 'names', position: anna.position, body: [anna.stream] }])
  expect(fold(names, [again], { stored, checkpoint: anna.position })).toEqual([])
  expect(fold(names, [anna, again, vera], { stored, checkpoint: anna.position })).toEqual([
    { id: 'names', position: vera.position, body: [anna.stream, vera.stream] },
  ])
})

it('a document above the checkpoint is written again, in case the store loses it before the checkpoint moves', () => {
  const events = recorded(completed({ orderId: 'anna' }))
  const stored = fold(names, events)
  expect(fold(names, events, { stored, checkpoint: '' })).toEqual(stored)
  expect(fold(names, events, { stored, checkpoint: events[0]?.position ?? '' })).toEqual([])
})

it('an event whose keys cannot be determined is listed under the name of the projection', () => {
  const failing: Projection = {
    ...names,
    keys() {
      throw new Error('no keys')
    },
  }
  const [event] = recorded(completed())
  expect(event && fold(failing, [event])).toEqual([
    {
      id: 'names',
      position: event?.position,
      body: undefined,
      broken: { position: event?.position, reason: 'no keys' },
    },
  ])
})

import { expect, it } from 'vitest'
import { completed, placed } from '../domain/testing/order-samples.ts'
import type { RecordedEvent } from '../event-store/event-log.ts'
import { type ViewDocument, type ViewStore, WriteConflict } from '../view-store/view-store.ts'
import { memoryViewStore } from '../view-store/testing/memory-view-store.ts'
import { customersProjection } from '../projections/customers.ts'
import { type Fold, foldInto } from './fold.ts'
import type { Projection } from '../projections/projection.ts'
import { recorded } from '../projections/testing/clean-fold.ts'
import { samples } from '../projections/testing/samples.ts'

const pages = recorded(
  ...['anna', 'otto', 'vera'].map((customerId) => completed({ orderId: `order-${customerId}`, customerId })),
)

const ash = { customerEmail: 'ash@example.org', marketIds: [] }

let marks = 0

async function write(store: ViewStore, fold: Fold): Promise<ViewDocument[]> {
  const writes = await fold.writes({ name: `checkpoint ${(marks += 1)}`, from: undefined, value: '1' })
  await store.write(writes)
  return writes.flatMap(({ documents }) => documents)
}

async function addTo(fold: Fold, ...added: readonly RecordedEvent[]): Promise<void> {
  for (const event of added) await fold.add({ events: [event], opened: new Map() })
}

it('writes no document that nothing has changed in, and folds on from it', async () => {
  const names: Projection<readonly string[]> = {
    name: 'names',
    version: 1,
    fields: {},
    indexes: [],
    keys: () => ['names'],
    evolve: ({ body = [] }, { stream }) => (body.includes(stream) ? body : [...body, stream]),
  }
  const named = { name: 'names@1', fields: {}, indexes: [] }
  const store = memoryViewStore()
  await store.open(named)
  const [anna, otto, vera] = pages
  if (!anna || !otto || !vera) throw new Error('there are three pages')

  const written = async (...events: readonly RecordedEvent[]) => {
    const fold = foldInto({ projection: names, collection: named }, store)
    await addTo(fold, ...events)
    expect(fold.changed()).toBeLessThanOrEqual(1)
    return (await write(store, fold)).map(({ position }) => position)
  }
  expect(await written(anna, { ...otto, stream: anna.stream })).toEqual([anna.position])
  expect(await written({ ...otto, stream: anna.stream })).toEqual([])
  expect(await written({ ...otto, stream: anna.stream }, vera)).toEqual([vera.position])
  expect((await store.load(named, ['names'])).get('names')?.body).toEqual([anna.stream, vera.stream])
})

it('keeps a person erased whom a projector that has died since had read before', async () => {
  const erased = samples.CustomerErased
  const { customerId } = erased.data
  const events = recorded(placed({ orderId: 'a', customerId }), placed({ orderId: 'b', customerId }), erased)
  const orders = events.slice(0, 2)
  const named = { name: 'customers@1', fields: customersProjection.fields, indexes: [], isPersonal: true }
  const store = memoryViewStore()
  await store.open(named)
  const begun = (): Fold => foldInto({ projection: customersProjection, collection: named }, store)

  const dying = begun()
  await dying.add({ events: orders, opened: new Map(orders.map(({ id }) => [id, { ...ash, discordUsername: id }])) })
  const living = begun()
  await living.add({ events, opened: new Map(orders.map(({ id }) => [id, 'erased' as const])) })
  await write(store, living)
  await expect(write(store, dying)).rejects.toThrow(WriteConflict)

  expect((await store.load(named, [customerId])).get(customerId)?.body).toBeUndefined()
})

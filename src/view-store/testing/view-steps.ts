import { expect } from 'vitest'
import type { Collection, ViewDocument, ViewStore } from '../view-store.ts'
import { writeOver } from './write-over.ts'

export const people: Collection = { name: 'people@1', fields: { age: 'number', names: 'terms' }, indexes: [['age']] }
export const former: Collection = { ...people, name: 'people@0' }

export function person(id: string, position: number, names: readonly string[] | undefined = []): ViewDocument {
  return { id, position: String(position).padStart(6, '0'), body: names && { age: position, names } }
}

/** What the folds of three pages write; the checkpoint is the number of the last one. */
export const batches = [1, 2, 3].map((round) => [
  person('anna', round, [`anna ${round}`]),
  { ...person('bert', round, [`bert ${round}`]), ...(round === 3 && { body: undefined }) },
  person('carl', round, [`carl ${round}`]),
])

async function fold(store: ViewStore, round: number): Promise<void> {
  await writeOver(store, people, batches[round - 1] ?? [], { name: 'checkpoint', value: String(round) })
}

/** What a projector asks of a store, for tests in which it dies or breaks at any of it. */
export async function playViews(
  store: ViewStore,
  answered: (what: { round: number } | { isDropped: true }) => void,
): Promise<void> {
  await store.open(former)
  await store.write([{ collection: former, documents: [person('old', 1, ['old one'])] }])
  await store.open({ ...people, indexes: [] })
  for (const round of [1, 2]) {
    await fold(store, round)
    answered({ round })
  }
  await store.open(people)
  await store.drop(former)
  answered({ isDropped: true })
  await fold(store, 3)
  answered({ round: 3 })
}

/** All of it is taken again. */
export async function expectViewsAgain(store: ViewStore): Promise<void> {
  await store.drop(former)
  for (const round of [1, 2, 3]) await fold(store, round)
  const last = new Map(batches[2]?.map((document) => [document.id, document]))
  expect(await store.load(people, ['anna', 'bert', 'carl'])).toEqual(last)
  const { rows } = await store.find(people, { where: [{ field: 'names', beginsWith: 'carl' }] }, { limit: 10 })
  expect(rows.map(({ id }) => id)).toEqual(['carl'])
  expect(await store.count(people, { where: [] }, 10)).toBe(2)
  expect(await store.collections()).toEqual([{ name: people.name }])
}

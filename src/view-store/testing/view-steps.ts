import { expect } from 'vitest'
import type { Collection, ViewDocument, ViewStore } from '../view-store.ts'
import { begun, put } from './put.ts'

export const people: Collection = { name: 'people', fields: { age: 'number', names: 'terms' }, indexes: [['age']] }
export const SET = 'a1'
export const FORMER = 'b2'
export const source = { set: SET, collection: people }

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
  await put(store, SET, [{ collection: people, documents: batches[round - 1] ?? [] }])
}

/** What a projector asks of a store, for tests in which it dies or breaks at any of it. */
export async function playViews(
  store: ViewStore,
  answered: (what: { round: number } | { isDropped: true }) => void,
): Promise<void> {
  await store.create(FORMER, begun, [people])
  await put(store, FORMER, [{ collection: people, documents: [person('old', 1, ['old one'])] }])
  await store.create(SET, begun, [people])
  for (const round of [1, 2]) {
    await fold(store, round)
    answered({ round })
  }
  await store.index(SET, [people])
  await store.drop(FORMER)
  answered({ isDropped: true })
  await fold(store, 3)
  answered({ round: 3 })
}

/** Each document stands as its page left it, or a later one; none that its checkpoint speaks of is missing. */
export async function expectWholePages(store: ViewStore, answered: number): Promise<void> {
  const state = await store.stateOf(SET)
  const checkpoint = Number(state?.checkpoint ?? 0)
  expect(checkpoint).toBeGreaterThanOrEqual(answered)
  if (!state) return
  const documents = await store.load(source, ['anna', 'bert', 'carl'])
  if (checkpoint > 0) expect(documents.size).toBe(3)
  for (const { id, position } of documents.values()) {
    const round = Number(position)
    expect(round).toBeGreaterThanOrEqual(checkpoint)
    expect(documents.get(id)).toEqual(batches[round - 1]?.find((document) => document.id === id))
  }
}

/** All of it is taken again. */
export async function expectViewsAgain(store: ViewStore): Promise<void> {
  for (const set of await store.found()) if (set !== SET || !(await store.stateOf(SET))) await store.drop(set)
  if (!(await store.stateOf(SET))) await store.create(SET, begun, [people])
  await store.index(SET, [people])
  for (const round of [1, 2, 3]) await fold(store, round)
  const last = new Map(batches[2]?.map((document) => [document.id, document]))
  expect(await store.load(source, ['anna', 'bert', 'carl'])).toEqual(last)
  const { rows } = await store.find(source, { where: [{ field: 'names', beginsWith: 'carl' }] }, { limit: 10 })
  expect(rows.map(({ id }) => id)).toEqual(['carl'])
  expect(await store.count(source, { where: [] }, 10)).toBe(2)
  expect(await store.found()).toEqual([SET])
}

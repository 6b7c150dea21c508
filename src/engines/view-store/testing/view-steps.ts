import type { Collection, ViewDocument } from '../view-store.ts'

export const people: Collection = { name: 'people', fields: { age: 'number', names: 'terms' }, indexes: [['age']] }
export const SET = 'a1'
export const source = { set: SET, collection: people }

export function person(id: string, position: number, names: readonly string[] | undefined = []): ViewDocument {
  return { id, position: String(position).padStart(6, '0'), body: names && { age: position, names } }
}

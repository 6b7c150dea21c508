import type { Projection } from '../../projections/projection.ts'
import { memoryViewStore } from '../../view-store/testing/memory-view-store.ts'
import type { Collection, ViewStore, Write } from '../../view-store/view-store.ts'

export interface Wiped {
  readonly store: ViewStore
  readonly wipe: () => Promise<void>
}

/** A view store that can be wiped under running projectors and recreates collections on demand. */
export function wipedAtAnyTime(projections: readonly Projection[]): Wiped {
  let inner = memoryViewStore()

  async function make(collections: readonly Collection[]): Promise<void> {
    for (const collection of collections)
      if (projections.some(({ name }) => collection.name.startsWith(`${name}@`)))
        await inner.open({ ...collection, indexes: [] })
  }

  const store: ViewStore = {
    ...inner,
    async load(collection, ids) {
      await make([collection])
      return inner.load(collection, ids)
    },
    async write(writes: readonly Write[]) {
      await make(writes.map(({ collection }) => collection))
      await inner.write(writes)
    },
    async find(collection, question, page) {
      await make([collection])
      return inner.find(collection, question, page)
    },
    async count(collection, question, limit) {
      await make([collection])
      return inner.count(collection, question, limit)
    },
    open: (collection) => inner.open(collection),
    async countBroken(collection) {
      await make([collection])
      return inner.countBroken(collection)
    },
    marks: () => ({
      read: (name) => inner.marks().read(name),
      raise: (name, value) => inner.marks().raise(name, value),
      set: (name, value) => inner.marks().set(name, value),
    }),
    collections: () => inner.collections(),
    drop: (collection) => inner.drop(collection),
  }
  return { store, wipe: async () => void (inner = memoryViewStore()) }
}

import type { Projection } from '../../projections/projection.ts'
import { copyOfViews, type MemoryViews, memoryViewStore, noViews } from '../../view-store/testing/memory-view-store.ts'
import type { Collection, ViewStore, Write } from '../../view-store/view-store.ts'

export interface Wiped {
  readonly store: ViewStore
  readonly wipe: () => Promise<void>
  /** Takes back the newest of the writes, as a server does that has lost its end, or all since a copy that is put back. */
  readonly lose: (writes: number) => void
}

/** A view store under running projectors: it can be wiped, goes back to what it was, and recreates collections on demand. */
export function wipedAtAnyTime(projections: readonly Projection[]): Wiped {
  let past: MemoryViews[] = []
  let state = noViews()
  let inner = memoryViewStore(state)

  function become(views: MemoryViews): void {
    state = views
    inner = memoryViewStore(state)
  }

  async function changed<T>(change: () => Promise<T>): Promise<T> {
    past.push(copyOfViews(state))
    return change()
  }

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
      // One by one, as a server without transactions does.
      for (const { collection, documents, mark } of writes) {
        for (const document of documents) await changed(() => inner.write([{ collection, documents: [document] }]))
        if (mark) await changed(() => inner.write([{ collection, documents: [], mark }]))
      }
    },
    async find(collection, query, page) {
      await make([collection])
      return inner.find(collection, query, page)
    },
    async count(collection, query, limit) {
      await make([collection])
      return inner.count(collection, query, limit)
    },
    open: (collection) => changed(() => inner.open(collection)),
    async countBroken(collection) {
      await make([collection])
      return inner.countBroken(collection)
    },
    marks: () => ({
      read: (name) => inner.marks().read(name),
      raise: (name, value) => changed(() => inner.marks().raise(name, value)),
      set: (name, value) => changed(() => inner.marks().set(name, value)),
      replace: (name, values) => changed(() => inner.marks().replace(name, values)),
    }),
    collections: () => inner.collections(),
    drop: (collection) => changed(() => inner.drop(collection)),
  }
  return {
    store,
    wipe: () => changed(async () => become(noViews())),
    lose(writes) {
      const at = Math.max(0, past.length - writes)
      const before = past[at]
      past = past.slice(0, at)
      if (before) become(before)
    },
  }
}

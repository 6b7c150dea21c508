import { memoryViewStore } from '../../view-store/testing/memory-view-store.ts'
import type { Collection, ViewStore } from '../../view-store/view-store.ts'
import type { Projection } from '../projection.ts'

export interface Wiped {
  readonly store: ViewStore
  readonly wipe: () => Promise<void>
}

/** Its owner may wipe it under running projectors, and it makes collections anew as soon as somebody asks for them. */
export function wipedAtAnyTime(projections: readonly Projection[]): Wiped {
  let inner = memoryViewStore()
  const store = new Proxy(inner, {
    get(_target, name) {
      return async (...values: unknown[]) => {
        const [collection] = values
        const given = projections.find(({ name }) => isOf(collection, name))
        if (given && name !== 'open') await inner.open({ ...(collection as Collection), indexes: [] })
        return (Reflect.get(inner, name) as (...values: unknown[]) => Promise<unknown>).apply(inner, values)
      }
    },
  })
  return { store, wipe: async () => void (inner = memoryViewStore()) }
}

function isOf(collection: unknown, projectionName: string): boolean {
  return (collection as Partial<Collection> | undefined)?.name?.startsWith(`${projectionName}@`) === true
}

import type { Collection, SetOrigin, ViewDocument, ViewStore } from '../view-store.ts'

export const begun: SetOrigin = { shape: 'shape', logId: 'log', beginHead: '' }

/** As a page of the log that makes these documents, whatever was there; answers the checkpoint after it. */
export async function put(
  store: ViewStore,
  set: string,
  writes: readonly { readonly collection: Collection; readonly documents: readonly ViewDocument[] }[],
): Promise<string> {
  const after = (await store.stateOf(set))?.checkpoint ?? ''
  const to = String(Number(after) + 1).padStart(20, '0')
  const parts = writes.map(({ collection, documents }) => ({
    collection,
    ids: documents.map(({ id }) => id),
    fold: () => documents,
  }))
  return store.fold(set, { after, to, parts })
}

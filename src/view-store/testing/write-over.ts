import { type Collection, type ViewDocument, type ViewStore, WriteConflict } from '../view-store.ts'

const ATTEMPTS_MAX = 1_000

/** Writes what a projector has folded: over a lower position and a lower mark alone, again where another one was quicker. */
export async function writeOver(
  store: ViewStore,
  collection: Collection,
  documents: readonly ViewDocument[],
  mark?: { readonly name: string; readonly value: string },
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const ids = documents.map(({ id }) => id).filter((id) => id !== '')
    const stored = await store.load(collection, ids)
    const from = mark && (await store.marks(collection).read(mark.name))
    const newer = documents
      .map((document) => ({ ...document, over: stored.get(document.id)?.position }))
      .filter(({ over, position }) => over === undefined || over < position)
    const moved = mark && (from === undefined || from < mark.value) ? { mark: { ...mark, from } } : {}
    try {
      return await store.write([{ collection, documents: newer, ...moved }])
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
    }
  }
  throw new Error(`${collection.name} cannot be written: another one is always quicker`)
}

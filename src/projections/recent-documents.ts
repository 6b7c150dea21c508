import type { ViewDocument } from '../view-store/view-store.ts'

/** How many documents of one view are kept at hand, the newest. */
const RECENT_MAX = 2_000

/**
 * Documents as this runner has folded them up to its checkpoint, so that the next page need not load them. Whoever else has written them meanwhile has
 * folded the same events, so what is kept here is never wrong, at most behind; and what is folded from it is only written over a lower position.
 */
export interface RecentDocuments {
  /** Those that are kept, and those of `ids` that are not. */
  split(ids: readonly string[]): { kept: Map<string, ViewDocument>; others: string[] }
  keep(documents: readonly ViewDocument[]): void
  forget(): void
}

export function recentDocuments({ max = RECENT_MAX }: { max?: number } = {}): RecentDocuments {
  const recent = new Map<string, ViewDocument>()
  return {
    split(ids) {
      const kept = new Map<string, ViewDocument>()
      const others: string[] = []
      for (const id of ids) {
        const document = recent.get(id)
        if (document) kept.set(id, document)
        else others.push(id)
      }
      return { kept, others }
    },
    keep(documents) {
      // Only the last of them would stay.
      for (const document of documents.slice(Math.max(documents.length - max, 0))) {
        recent.delete(document.id)
        recent.set(document.id, document)
      }
      for (const id of recent.keys()) {
        if (recent.size <= max) return
        recent.delete(id)
      }
    },
    forget: () => recent.clear(),
  }
}

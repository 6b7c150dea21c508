import { useSyncExternalStore } from 'react'
import { byBuyerText } from '#contract/buyer.ts'
import { remember, remembered } from '../../lib/storage.ts'
import { store } from '../../lib/store.ts'
import { contentOf, type Draft, emptyDraft } from './draft.ts'

const storageKey = 'coinshop.draft.2'
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

interface Kept {
  readonly draft: Draft
  readonly savedAt: number
}

const draft = store(stored('own') ?? stored('shared') ?? emptyDraft)

/** The draft, kept in this browser for a day. A tab prefers its own draft to the one that all tabs share. */
export function useDraft(): Draft {
  return useSyncExternalStore(draft.subscribe, draft.get, () => emptyDraft)
}

export function currentDraft(): Draft {
  return draft.get()
}

export function changeDraft(change: Partial<Draft>): Draft {
  const changed = { ...draft.get(), ...change }
  const kept: Kept = { draft: changed, savedAt: Date.now() }
  remember(storageKey, kept, 'own')
  remember(storageKey, kept)
  draft.set(changed)
  return changed
}

/** The draft to place, with the order or request that another tab has made of the same draft. */
export function draftToPlace(agreedTotal: string): Draft {
  const own = draft.get()
  const other = stored('shared')
  const isSame = own.placed === null && other !== undefined && contentOf(other) === contentOf(own)
  return changeDraft({ agreedTotal, ...(isSame && { placed: other.placed, sent: other.sent }) })
}

/** Starts an empty draft, but keeps who the buyer is and the currency. */
export function startNewDraft(): void {
  const typed = draft.get()
  changeDraft({ ...emptyDraft, ...byBuyerText((name) => typed[name]), shownIn: typed.shownIn })
}

/** Notes that the buyer goes back to change the placed order. Placing the draft again replaces that order. */
export function goBackToChange(): void {
  const { placed } = draft.get()
  if (placed !== null) changeDraft({ placed: { ...placed, isChanged: true } })
}

function stored(whose: 'own' | 'shared'): Draft | undefined {
  const kept = remembered(storageKey, isKept, whose)
  return kept !== undefined && kept.savedAt + KEPT_FOR_MS > Date.now() ? { ...emptyDraft, ...kept.draft } : undefined
}

function isKept(value: unknown): value is Kept {
  const { draft, savedAt } = value as Partial<Kept>
  return typeof savedAt === 'number' && Array.isArray(draft?.marketIds)
}

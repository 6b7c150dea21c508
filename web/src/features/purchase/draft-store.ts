import { useSyncExternalStore } from 'react'
import { byBuyerText } from '#contract/buyer.ts'
import { remember, remembered } from '../../lib/storage.ts'
import { store } from '../../lib/store.ts'
import { contentOf, type Draft, newDraft } from './draft.ts'

const storageKey = 'coinshop.draft.2'
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

interface Kept {
  readonly draft: Draft
  readonly savedAt: number
}

const draft = store(stored('own') ?? stored('shared') ?? newDraft)

/** Kept for a day in this browser, so that a reload, a second tab or a crash loses nothing that was typed. A tab shows its own, once it has one. */
export function useDraft(): Draft {
  return useSyncExternalStore(draft.subscribe, draft.get)
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

/** The draft as it is placed: with the order that another tab has made of the same one, or is making. */
export function draftToPlace(agreedTotal: string): Draft {
  const own = draft.get()
  const other = stored('shared')
  const isSame = own.made === null && other !== undefined && contentOf(other) === contentOf(own)
  return changeDraft({ agreedTotal, ...(isSame && { made: other.made, sent: other.sent }) })
}

/** Keeps the buyer's name and address. */
export function startNewDraft(): void {
  const typed = draft.get()
  changeDraft({ ...newDraft, ...byBuyerText((name) => typed[name]), shownIn: typed.shownIn })
}

/** The buyer leaves the draft's order to change it, which replaces that order. */
export function goBackToChange(): void {
  const { made } = draft.get()
  if (made !== null) changeDraft({ made: { ...made, isChanged: true } })
}

function stored(whose: 'own' | 'shared'): Draft | undefined {
  const kept = remembered(storageKey, isKept, whose)
  return kept !== undefined && kept.savedAt + KEPT_FOR_MS > Date.now() ? { ...newDraft, ...kept.draft } : undefined
}

function isKept(value: unknown): value is Kept {
  const { draft, savedAt } = value as Partial<Kept>
  return typeof savedAt === 'number' && Array.isArray(draft?.marketIds)
}

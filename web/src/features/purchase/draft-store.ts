import { useSyncExternalStore } from 'react'
import { remember, remembered } from '../../lib/storage.ts'
import { store } from '../../lib/store.ts'
import { type Draft, newDraft } from './draft.ts'

const storageKey = 'coinshop.draft.2'
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

interface Kept {
  readonly draft: Draft
  readonly savedAt: number
}

/** In the prerendered page, so usable before hydration. */
const FIRST_FIELD = 'quantity'
const ownBefore = import.meta.env.SSR ? undefined : stored('own')
const draft = store(ownBefore ?? (import.meta.env.SSR ? undefined : stored('shared')) ?? newDraft)
/** Changed in this tab: it follows no other any more. */
let isOwn = ownBefore !== undefined
if (!import.meta.env.SSR) keepTextBeforeHydration()

/** Kept for a day in this browser, so that a reload, a second tab or a crash loses nothing that was typed. A tab shows its own, once it has one. */
export function useDraft(): Draft {
  return useSyncExternalStore(subscribe, draft.get, emptyDraft)
}

function subscribe(listener: () => void): () => void {
  // Hydrated: from now on the field's `onChange` keeps it.
  document.removeEventListener('input', keepQuantity, true)
  return draft.subscribe(listener)
}

export function currentDraft(): Draft {
  return draft.get()
}

/** For the pages that are rendered in the build. */
function emptyDraft(): Draft {
  return newDraft
}

export function changeDraft(change: Partial<Draft>): Draft {
  const changed = { ...draft.get(), ...change }
  const kept: Kept = { draft: changed, savedAt: Date.now() }
  remember(storageKey, kept, 'own')
  remember(storageKey, kept)
  draft.set(changed)
  isOwn = true
  return changed
}

/** Keeps the buyer's name and address. */
export function startNewDraft(): void {
  const { customerEmail, discordUsername, shownIn } = draft.get()
  changeDraft({ ...newDraft, customerEmail, discordUsername, shownIn })
}

/** The buyer leaves the draft's order to change it, which replaces that order. */
export function goBackToChange(): void {
  const { made } = draft.get()
  if (made !== null) changeDraft({ made: { ...made, isChanged: true } })
}

/** React calls no `onChange` for text typed before hydration, which would drop it. */
function keepTextBeforeHydration(): void {
  const field = document.getElementById(FIRST_FIELD)
  if (field instanceof HTMLInputElement && field.value !== field.defaultValue) changeDraft({ quantity: field.value })
  document.addEventListener('input', keepQuantity, true)
}

function keepQuantity({ target }: Event): void {
  if (target instanceof HTMLInputElement && target.id === FIRST_FIELD) changeDraft({ quantity: target.value })
}

function stored(whose: 'own' | 'shared'): Draft | undefined {
  const kept = remembered(storageKey, isKept, whose)
  return kept !== undefined && kept.savedAt + KEPT_FOR_MS > Date.now() ? kept.draft : undefined
}

function isKept(value: unknown): value is Kept {
  const { draft, savedAt } = value as Partial<Kept>
  return typeof savedAt === 'number' && Array.isArray(draft?.marketIds)
}

function followOtherTabs(event: StorageEvent): void {
  if (event.key === storageKey && !isOwn) draft.set(stored('shared') ?? draft.get())
}

if (!import.meta.env.SSR) window.addEventListener('storage', followOtherTabs)

import { useSyncExternalStore } from 'react'
import { randomKey } from '../../lib/random-key.ts'
import { forget, remember, remembered } from '../../lib/storage.ts'
import { store } from '../../lib/store.ts'
import { type Draft, newDraft } from './draft.ts'

const storageKey = 'coinshop.draft.1'
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

interface Kept {
  readonly draft: Draft
  readonly savedAt: number
}

/** In the prerendered page, so usable before hydration. */
const FIRST_FIELD = 'quantity'
const draft = store((import.meta.env.SSR ? undefined : stored()) ?? newDraft(randomKey()))
if (!import.meta.env.SSR) keepTextBeforeHydration()

/** Kept for a day in this browser, so that a reload, a second tab or a crash loses nothing that was typed. */
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

const beforeAnythingIsTyped = newDraft('')

/** For the pages that are rendered in the build. */
function emptyDraft(): Draft {
  return beforeAnythingIsTyped
}

export function changeDraft(change: Partial<Draft>): Draft {
  const changed = { ...draft.get(), ...change }
  remember(storageKey, { draft: changed, savedAt: Date.now() } satisfies Kept)
  draft.set(changed)
  return changed
}

/** Keeps the buyer's name and address. */
export function startNewDraft(): void {
  const { customerEmail, discordUsername, shownIn } = draft.get()
  forget(storageKey)
  draft.set({ ...newDraft(randomKey()), customerEmail, discordUsername, shownIn })
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

function stored(): Draft | undefined {
  const kept = remembered(storageKey, isKept)
  return kept !== undefined && kept.savedAt + KEPT_FOR_MS > Date.now() ? kept.draft : undefined
}

function isKept(value: unknown): value is Kept {
  const { draft, savedAt } = value as Partial<Kept>
  return typeof savedAt === 'number' && typeof draft?.key === 'string' && Array.isArray(draft.marketIds)
}

function followOtherTabs(event: StorageEvent): void {
  if (event.key === storageKey) draft.set(stored() ?? draft.get())
}

if (!import.meta.env.SSR) window.addEventListener('storage', followOtherTabs)

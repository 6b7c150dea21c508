import { useSyncExternalStore } from 'react'
import { randomKey } from '../../lib/random-key.ts'
import { forget, remember, remembered } from '../../lib/storage.ts'
import { type Draft, newDraft } from './draft.ts'

const storageKey = 'coinshop.draft.1'
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

interface Kept {
  readonly draft: Draft
  readonly savedAt: number
}

const listeners = new Set<() => void>()
/** The wizard's first field stands in the page before any script has run. */
const FIRST_FIELD = 'quantity'
let draft = (import.meta.env.SSR ? undefined : stored()) ?? newDraft(randomKey())
if (!import.meta.env.SSR) keepWhatWasTyped()

/** Kept for a day in this browser, so that a reload, a second tab or a crash loses nothing that was typed. */
export function useDraft(): Draft {
  return useSyncExternalStore(subscribe, currentDraft, emptyDraft)
}

export function currentDraft(): Draft {
  return draft
}

const beforeAnythingIsTyped = newDraft('')

/** What a page made in the build shows: nobody has typed there. */
function emptyDraft(): Draft {
  return beforeAnythingIsTyped
}

export function changeDraft(change: Partial<Draft>): Draft {
  draft = { ...draft, ...change }
  remember(storageKey, { draft, savedAt: Date.now() } satisfies Kept)
  notify()
  return draft
}

/** For the next order; who the buyer is need not be typed again. */
export function startNewDraft(): void {
  const { customerEmail, discordUsername, shownIn } = draft
  forget(storageKey)
  draft = { ...newDraft(randomKey()), customerEmail, discordUsername, shownIn }
  notify()
}

/** React takes a field over as it was made. */
function keepWhatWasTyped(): void {
  const field = document.getElementById(FIRST_FIELD)
  if (field instanceof HTMLInputElement && field.value !== field.defaultValue) changeDraft({ quantity: field.value })
}

function stored(): Draft | undefined {
  const kept = remembered(storageKey, isKept)
  return kept !== undefined && kept.savedAt + KEPT_FOR_MS > Date.now() ? kept.draft : undefined
}

function isKept(value: unknown): value is Kept {
  const { draft, savedAt } = value as Partial<Kept>
  return typeof savedAt === 'number' && typeof draft?.key === 'string' && Array.isArray(draft.marketIds)
}

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function hearOtherTabs(event: StorageEvent): void {
  if (event.key !== storageKey) return
  draft = stored() ?? draft
  notify()
}

if (!import.meta.env.SSR) window.addEventListener('storage', hearOtherTabs)

import { useSyncExternalStore } from 'react'
import { store } from '../../lib/store.ts'

const SHOWN_MAX = 1
const DURATION_MS = 5_000
const REMOVED_AFTER_MS = 1_000_000

export interface Toast {
  readonly id: number
  readonly title: string
  readonly text?: string | undefined
  readonly destructive: boolean
  /** Infinity: stays until it is dismissed. */
  readonly durationMs: number
  /** The address that it was shown at; undefined: to be seen on the next screen, too. */
  readonly ofScreen: string | undefined
  readonly open: boolean
}

const toasts = store<readonly Toast[]>([])
let lastId = 0

/** Shows a message about what the user just did. What they have to act on belongs on the page instead. */
export function toast(
  title: string,
  text?: string,
  options: { destructive?: boolean; durationMs?: number; isKept?: boolean } = {},
): number {
  lastId += 1
  const { destructive = false, durationMs = DURATION_MS, isKept = false } = options
  const ofScreen = isKept || isOfDialog(window.location) ? undefined : screenAt(window.location)
  const shown = { id: lastId, title, text, destructive, durationMs, ofScreen, open: true }
  toasts.set([shown, ...toasts.get()].slice(0, SHOWN_MAX))
  return lastId
}

/** Hides it at once and removes it from the list later. */
export function dismissToast(id: number): void {
  if (!toasts.get().some((one) => one.id === id && one.open)) return
  toasts.set(toasts.get().map((one) => (one.id === id ? { ...one, open: false } : one)))
  setTimeout(() => toasts.set(toasts.get().filter((one) => one.id !== id)), REMOVED_AFTER_MS)
}

/** Toasts about another screen than this one are out of date. */
export function dismissToastsOfOthers(screen: string): void {
  for (const { id, ofScreen } of toasts.get()) if (ofScreen !== undefined && ofScreen !== screen) dismissToast(id)
}

/** The steps of the wizard are screens by their query. */
export function screenAt({ pathname, search }: { pathname: string; search: string }): string {
  return pathname === '/purchase' ? pathname + search : pathname
}

/** An order that is open over the desk closes with what was done to it. */
function isOfDialog({ pathname }: { pathname: string }): boolean {
  return /^\/admin\/orders\/./.test(pathname)
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(toasts.subscribe, toasts.get, toasts.get)
}

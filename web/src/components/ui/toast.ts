import { useSyncExternalStore } from 'react'
import { store } from '../../lib/store.ts'

export interface Toast {
  readonly id: number
  readonly title: string
  readonly text?: string | undefined
  readonly destructive: boolean
  /** A button that takes back what was done; `what` it restores is for screen readers. */
  readonly undo?: { readonly what: string; readonly run: () => void } | undefined
}

/** Only one toast is shown; a new one replaces it. */
const shown = store<Toast | undefined>(undefined)
let lastId = 0

/** Shows the result of what the user just did. A message that requires an action belongs on the page. */
export function toast(title: string, text?: string, look: Partial<Pick<Toast, 'destructive' | 'undo'>> = {}): void {
  lastId += 1
  shown.set({ id: lastId, title, text, destructive: false, ...look })
}

export function dismissToast(id: number): void {
  if (shown.get()?.id === id) shown.set(undefined)
}

export function useToast(): Toast | undefined {
  return useSyncExternalStore(shown.subscribe, shown.get, shown.get)
}

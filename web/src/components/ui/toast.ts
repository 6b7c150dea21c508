import { useSyncExternalStore } from 'react'
import { store } from '../../lib/store.ts'

export interface Toast {
  readonly id: number
  readonly title: string
  readonly text?: string | undefined
  readonly destructive: boolean
}

/** Only one toast is shown; a new one replaces it. */
const shown = store<Toast | undefined>(undefined)
let lastId = 0

/** Shows the result of what the user just did. A message that requires an action belongs on the page. */
export function toast(title: string, text?: string, { destructive = false } = {}): void {
  lastId += 1
  shown.set({ id: lastId, title, text, destructive })
}

export function dismissToast(id: number): void {
  if (shown.get()?.id === id) shown.set(undefined)
}

export function useToast(): Toast | undefined {
  return useSyncExternalStore(shown.subscribe, shown.get, shown.get)
}

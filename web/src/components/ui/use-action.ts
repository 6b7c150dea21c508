import { useRef, useState, useSyncExternalStore } from 'react'
import { sayError } from '../../api/client.ts'
import { store } from '../../lib/store.ts'

/** A handler, or the title of a toast whose text is the error's sentence. */
type OnFailure = string | ((error: unknown) => void)

/** A user's action, whether it is running, and why it failed. While it is running, `run` does nothing. */
export function useAction<Given extends unknown[]>(act: (...given: Given) => Promise<unknown>, onFailure?: OnFailure) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  // State changes with the next render, too late for a double click.
  const isRunning = useRef(false)
  const attempt = async (given: Given) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setError(undefined)
    try {
      await act(...given)
    } catch (caught) {
      setError(caught)
      if (typeof onFailure === 'string') toast(onFailure, sayError(caught), { destructive: true })
      else onFailure?.(caught)
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return {
    run: (...given: Given) => void attempt(given),
    isBusy,
    error,
    problem: error === undefined ? undefined : sayError(error),
  }
}

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

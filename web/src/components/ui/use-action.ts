import { useRef, useState } from 'react'
import { sayError } from '../../api/client.ts'
import { toast } from './toast.ts'

/** The title of a toast with the error's own sentence, or a handler. */
type OnFailure = string | ((error: unknown) => void)

/** An action of the user: whether it runs, and why it failed. `run` does nothing while it runs. */
export function useAction<Given extends unknown[]>(act: (...given: Given) => Promise<unknown>, onFailure?: OnFailure) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  // State is too late for a double click: it changes with the next render.
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

import { useRef, useState } from 'react'
import { sayError } from '../../api/client.ts'
import { toast } from './toast.ts'

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

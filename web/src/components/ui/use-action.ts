import { useRef, useState } from 'react'
import { sayError } from '../../api/client.ts'
import { toast } from './toast.ts'

/** The title of a toast that gives the error's own words; or what else is said. */
type OnFailure = string | ((error: unknown) => void)

/** Something that the user starts: busy until it has ended, then with its problem, if any. While busy, `run` does nothing. */
export function useAction<Given extends unknown[]>(act: (...given: Given) => Promise<unknown>, onFailure?: OnFailure) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  // State would come too late for a double click.
  const isRunning = useRef(false)
  const attempt = async (given: Given) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      await act(...given)
    } catch (error) {
      setProblem(sayError(error))
      if (typeof onFailure === 'string') toast(onFailure, sayError(error), { destructive: true })
      else onFailure?.(error)
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { run: (...given: Given) => void attempt(given), isBusy, problem }
}

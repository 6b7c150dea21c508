import type { Revenue, RevenueState } from '#contract/admin.ts'
import type { Progress } from '#contract/as-of.ts'
import { useEffect, useState } from 'react'
import { Failure } from './client.ts'
import { cutShort, follow } from './follow.ts'
import { asStaff } from './staff-session.ts'

interface Answer {
  readonly data?: Revenue
  readonly error?: unknown
  readonly progress?: Progress
}

/** Added up while this is shown, with `asOf` as of the end of that day. */
export function useRevenue(asOf?: string) {
  const [known, setKnown] = useState<Answer>({})
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const gone = new AbortController()
    const become = (next: Answer) => {
      if (!gone.signal.aborted) setKnown(next)
    }
    asStaff(added(asOf, gone.signal, (progress) => become({ progress }))).then(
      (data) => become({ data }),
      (error: unknown) => become({ error }),
    )
    return () => gone.abort()
  }, [asOf, attempt])
  const tryAgain = () => {
    setKnown({})
    setAttempt(attempt + 1)
  }
  return { ...known, mutate: tryAgain }
}

async function added(
  asOf: string | undefined,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Revenue> {
  const query = asOf === undefined ? '' : `?asOf=${encodeURIComponent(asOf)}`
  for await (const state of follow<RevenueState>(`/api/admin/revenue/progress${query}`, signal)) {
    if (state.is === 'failed') throw new Failure(state.message)
    if (state.is === 'ready') return state.revenue
    onProgress(state)
  }
  throw cutShort()
}

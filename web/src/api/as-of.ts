import type { AsOfState } from '#contract/as-of.ts'
import { useEffect, useState } from 'react'
import { ApiError, Failure, Unreachable } from './client.ts'
import { cutShort, follow } from './follow.ts'
import { asStaff } from './staff-session.ts'

const AGAIN_MS = 1_000
const AGAIN_MS_MAX = 5_000
/** Connections in a row that did not last. */
const AGAIN_MAX = 30
/** A day that was shown for so long is opened again at once. */
const LASTING_MS = 60_000

export type PastDay =
  | { readonly is: 'opening' }
  | Extract<AsOfState, { is: 'folding' | 'ready' }>
  | { readonly is: 'failed'; readonly error: unknown }

/** Has the shop fold its log up to the end of a past day, and keep that while this is shown. `attempt`: another one begins again. */
export function usePastDay(day: string, attempt: number): PastDay {
  const [known, setKnown] = useState<{ of: string; state: PastDay }>()
  const asked = `${day} ${attempt}`
  useEffect(() => {
    const gone = new AbortController()
    const become = (state: PastDay) => {
      if (!gone.signal.aborted) setKnown({ of: asked, state })
    }
    keepOpen(day, gone.signal, become).catch((error: unknown) => become({ is: 'failed', error }))
    return () => gone.abort()
  }, [day, asked])
  return known?.of === asked ? known.state : { is: 'opening' }
}

/**
 * Opens the day again when it is lost after it was shown: at once where the connection was cut, by a deploy or a proxy; where the shop has dropped it, long
 * unread, only once the page is used, since what is shown does not change.
 */
async function keepOpen(day: string, signal: AbortSignal, become: (state: PastDay) => void): Promise<void> {
  let readyAt: number | undefined
  let losses = 0
  const noteReady = (state: PastDay) => {
    if (state.is === 'ready') readyAt = Date.now()
    become(state)
  }
  for (;;) {
    const shownBefore = readyAt
    let error: unknown
    const isDropped = await open(day, signal, noteReady).catch((reason: unknown) => {
      error = reason
      return false
    })
    if (isDropped) await untilUsed(signal)
    if (signal.aborted) return
    if (readyAt === undefined || (error !== undefined && !mayPass(error))) throw error
    if (readyAt !== shownBefore && Date.now() - readyAt >= LASTING_MS) losses = 0
    if (losses > AGAIN_MAX) throw error ?? cutShort()
    become({ is: 'opening' })
    if (losses > 0) await pause(Math.min(AGAIN_MS * 2 ** (losses - 1), AGAIN_MS_MAX), signal)
    losses += 1
    await untilVisible(signal)
    if (signal.aborted) return
  }
}

/** Until the connection ends; whether the shop has dropped the day. Throws what kept it from being shown. */
async function open(day: string, signal: AbortSignal, become: (state: PastDay) => void): Promise<boolean> {
  let isReady = false
  let isDropped = false
  const states = follow<AsOfState>(`/api/admin/as-of?at=${encodeURIComponent(day)}`, signal)
  const next = async () => asStaff(states.next())
  try {
    for (let { value: state } = await next(); state !== undefined; { value: state } = await next()) {
      if (state.is === 'failed') throw new Failure(state.message)
      isDropped = state.is === 'ended'
      if (state.is === 'ended') continue
      isReady = state.is === 'ready'
      become(state)
    }
  } catch (error) {
    if (!isReady) throw error
  }
  if (!isReady) throw cutShort()
  return isDropped
}

/** Whether a shop that starts again may give another answer soon. */
function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 && error.code !== 'as-of/too-many-days'
  return error instanceof Unreachable
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const inMs = ms * (0.5 + Math.random() / 2)
  await new Promise<void>((resolve) => {
    setTimeout(resolve, inMs)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** After what was pressed has had its effect. */
async function untilUsed(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const use of ['click', 'keyup']) document.addEventListener(use, () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** A hidden page must not have the log folded. */
async function untilVisible(signal: AbortSignal): Promise<void> {
  while (document.visibilityState === 'hidden' && !signal.aborted)
    await new Promise<void>((resolve) => {
      document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
}

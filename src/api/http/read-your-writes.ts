import type { Request } from 'express'
import { cookieOf, cookieText } from './cookies.ts'
import { ViewBehind } from '../../projections/shop-views.ts'

const SEEN_COOKIE = 'seen'
const SEEN_S = 60
const WAIT_MS = 1_000
const LATE_WAIT_MS = 100
/** No engine's position is as long as 64 characters. */
const POSITION_PATTERN = /^[\w.:-]{1,64}$/

/** Writes that may be answered before the local projector has folded them; then writes wait (backpressure). */
export const AHEAD_MAX = 256

/** A follower of the log. */
interface Source {
  waitFor(position: string, timeoutMs: number): Promise<boolean>
}

/** Waits until a source has what this client has seen, by header or cookie. One that the log does not have costs its sender the wait, and 503. */
export async function waitUntilSeen(source: Source, request: Request): Promise<void> {
  const named = [request.get('x-position'), cookieOf(request, SEEN_COOKIE)]
  const positions = named.flatMap((text) => (text !== undefined && POSITION_PATTERN.test(text) ? [text] : []))
  const [last] = positions.sort().slice(-1)
  if (last === undefined || (await source.waitFor(last, WAIT_MS))) return
  throw new ViewBehind('source')
}

/** The writes that this process has answered. With a local projector, later lists show them to every client; a write waits only for one that is `AHEAD_MAX` older. */
export interface OwnWrites {
  /** Must be called before a write is answered. */
  answering(position: string): Promise<void>
  /** Waits until a list shows every write answered before. A timeout is no failure: views may be away, or be rebuilt. */
  shown(): Promise<void>
}

export function ownWrites(views: Source, { areLocal }: { areLocal: boolean }): OwnWrites {
  if (!areLocal) return { answering: nothing, shown: nothing }
  const answered: string[] = []
  let oldest = 0
  let last: string | undefined
  /** True after a time-out: until the views have caught up, requests wait `LATE_WAIT_MS` at most. */
  let areLate = false
  return {
    async answering(position) {
      const earlier = answered[oldest]
      answered[oldest] = position
      oldest = (oldest + 1) % AHEAD_MAX
      if (last === undefined || position > last) last = position
      if (earlier !== undefined) await views.waitFor(earlier, WAIT_MS)
    },
    async shown() {
      if (last !== undefined) areLate = !(await views.waitFor(last, areLate ? LATE_WAIT_MS : WAIT_MS))
    },
  }
}

async function nothing(): Promise<void> {}

export function seenCookie(position: string, { isSecure }: { isSecure: boolean }): string {
  return cookieText(SEEN_COOKIE, position, { maxAgeS: SEEN_S, sameSite: 'Lax', isSecure })
}

import type { Request } from 'express'
import { cookieOf, cookieText } from './cookies.ts'
import { ViewBehind } from '../../projections/shop-views.ts'
import { wrongField } from './errors.ts'
import type { WirePositions } from './wire-positions.ts'

const POSITION_HEADER = 'X-Position'
const SEEN_COOKIE = 'seen'
const SEEN_S = 60
const WAIT_MS = 1_000
const LATE_WAIT_MS = 100

/** Writes that may be acknowledged ahead of the local projector; then writes wait (backpressure). */
export const AHEAD_MAX = 256

/** A follower of the log. */
interface Source {
  waitFor(position: string, timeoutMs: number): Promise<boolean>
}

/** Throws a `RequestError` for a header that is no position of this shop. Such a cookie is ignored: it may be of another shop on this host. */
export function assertPosition(request: Request, sealed: Pick<WirePositions, 'open'>): void {
  const given = request.get(POSITION_HEADER)
  if (given !== undefined && sealed.open(given) === undefined)
    throw wrongField(POSITION_HEADER, 'An X-Position of an earlier response')
}

/** Waits until a source has what this client has seen (header or cookie). For a position that the log lacks: the wait, then 503. */
export async function waitUntilSeen(
  source: Source,
  request: Request,
  sealed: Pick<WirePositions, 'open'>,
): Promise<void> {
  const named = [request.get(POSITION_HEADER), cookieOf(request, SEEN_COOKIE)]
  const positions = named.flatMap((text) => (text === undefined ? [] : (sealed.open(text) ?? [])))
  const [last] = positions.sort().slice(-1)
  if (last === undefined || (await source.waitFor(last, WAIT_MS))) return
  throw new ViewBehind('source')
}

/**
 * Writes that this process has acknowledged. With a local projector, lists wait until they show all of them to every client;
 * a write waits only for the one `AHEAD_MAX` before it.
 */
export interface OwnWrites {
  /** Must be called before a write is acknowledged. */
  acknowledge(position: string): Promise<void>
  /** Waits until lists show all acknowledged writes. A timeout is no error: views may be away or being rebuilt. */
  waitUntilShown(): Promise<void>
}

export function ownWrites(views: Source, { areLocal }: { areLocal: boolean }): OwnWrites {
  if (!areLocal) return { acknowledge: nothing, waitUntilShown: nothing }
  const acknowledged: string[] = []
  let oldest = 0
  let last: string | undefined
  /** True after a timeout: until the views have caught up, requests wait `LATE_WAIT_MS` at most. */
  let areLate = false
  return {
    async acknowledge(position) {
      const earlier = acknowledged[oldest]
      acknowledged[oldest] = position
      oldest = (oldest + 1) % AHEAD_MAX
      if (last === undefined || position > last) last = position
      if (earlier !== undefined) await views.waitFor(earlier, WAIT_MS)
    },
    async waitUntilShown() {
      if (last !== undefined) areLate = !(await views.waitFor(last, areLate ? LATE_WAIT_MS : WAIT_MS))
    },
  }
}

async function nothing(): Promise<void> {}

/** `sealed`: a position as callers see it. */
export function seenCookie(sealed: string, { isSecure }: { isSecure: boolean }): string {
  return cookieText(SEEN_COOKIE, sealed, { maxAgeS: SEEN_S, sameSite: 'Lax', isSecure })
}

import type { Request } from 'express'
import { cookieOf, cookieText } from './cookies.ts'
import { ViewBehind } from '../projections/views.ts'

const SEEN_COOKIE = 'seen'
const SEEN_S = 60
const WAIT_MS = 1_000
/** Whatever an engine's positions look like, they are not longer. */
const POSITION_PATTERN = /^[\w.:-]{1,64}$/

/** Something that follows the log. */
interface Source {
  waitFor(position: string, timeoutMs: number): Promise<boolean>
}

/** The last position that this client has caused or was told of; undefined when it names none that the log can have. */
export async function positionSeen(
  request: Request,
  { reached, head }: { reached: string; head: () => Promise<string> },
): Promise<string | undefined> {
  const named = [request.get('x-position'), cookieOf(request, SEEN_COOKIE)]
  const positions = named.flatMap((text) => (text !== undefined && POSITION_PATTERN.test(text) ? [text] : []))
  if (positions.length === 0) return undefined
  // Beyond the head: made up, or from before a restore. Waiting for it would never end.
  const end = positions.every((position) => position <= reached) ? reached : await head()
  let last: string | undefined
  for (const position of positions) if (position <= end && (last === undefined || position > last)) last = position
  return last
}

/** Waits until a place that is read has seen it too. */
export async function waitUntilSeen(source: Source, position: string | undefined): Promise<void> {
  if (position === undefined || (await source.waitFor(position, WAIT_MS))) return
  throw new ViewBehind('source')
}

/** Lets the lists of this process show a write before it is answered. Being late is no failure: the write stands. */
export async function waitForOwn(source: Source, position: string): Promise<void> {
  await source.waitFor(position, WAIT_MS)
}

export function seenCookie(position: string, { isSecure }: { isSecure: boolean }): string {
  return cookieText(SEEN_COOKIE, position, { maxAgeS: SEEN_S, sameSite: 'Lax', isSecure })
}

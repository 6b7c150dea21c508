import type { Request } from 'express'
import { nowText, type CommandContext } from '../../shop/command-context.ts'
import { hasSession, isFresh } from '../../domain/admin/admin.ts'
import { Refusal } from '../../domain/refusal.ts'
import { cookieOf } from '../http/cookies.ts'
import { RequestError } from '../http/errors.ts'
import type { AdminTokens } from './admin-token.ts'

export const SESSION_COOKIE = 'admin_session'
/** Calls that set or remove the cookie. Case-insensitive, as Express's routes are. */
const STAFF_PATH = /^\/api\/admin\//i

export interface Session {
  readonly adminId: string
  readonly sessionId: string
}

export interface SessionCheck {
  readonly session: Session | undefined
  /** Also true for an invalid token. */
  readonly hasToken: boolean
  /** The token's session began before the current password was set. */
  readonly passwordChanged: boolean
}

type AdminWorld = Pick<CommandContext, 'hot' | 'clock' | 'config'>

/** The request's session. Reads the admin's stream first, so that logouts in other processes count. */
export async function sessionOf(context: AdminWorld, tokens: AdminTokens, request: Request): Promise<SessionCheck> {
  const { authorization } = request.headers
  const bearer = authorization === undefined ? undefined : /^Bearer (\S+)$/i.exec(authorization)?.[1]
  const text = bearer ?? cookieOf(request, SESSION_COOKIE)
  // Another site's request has no cookie, but the answer could remove it.
  if (bearer === undefined && STAFF_PATH.test(request.path)) assertSameOrigin(request, context.config.PUBLIC_URL)
  if (text === undefined) return { session: undefined, hasToken: false, passwordChanged: false }
  const token = await tokens.read(text)
  if (!token) return { session: undefined, hasToken: true, passwordChanged: false }
  if (bearer === undefined) assertSameOrigin(request, context.config.PUBLIC_URL)
  await context.hot.admin.refresh()
  const { state } = context.hot.admin
  if (hasSession(state, token.sessionId, nowText(context))) {
    const { adminId, sessionId } = token
    return { session: { adminId, sessionId }, hasToken: true, passwordChanged: false }
  }
  const passwordChanged = state.passwordSetAt !== undefined && token.beganAt < state.passwordSetAt
  return { session: undefined, hasToken: true, passwordChanged }
}

export function assertStaff({ session, passwordChanged }: SessionCheck): Session {
  if (session) return session
  const message = passwordChanged ? 'Admin password was changed. Please login again.' : 'Please login first.'
  throw new Refusal('admin/not-signed-in', message, {
    authenticated: false,
    ...(passwordChanged && { passwordChanged }),
  })
}

/** For what a stolen session alone must not do. */
export function assertFresh(context: AdminWorld, { sessionId }: Session): void {
  if (isFresh(context.hot.admin.state, sessionId, nowText(context))) return
  throw new Refusal('admin/second-factor-required', 'Enter a login code first.')
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Prevents CSRF: browsers send the cookie by themselves, so a change must come from the shop's own page.
 * Clients that are not browsers send neither header, and pass.
 */
function assertSameOrigin(request: Request, publicUrl: string): void {
  if (SAFE_METHODS.has(request.method)) return
  const site = request.get('sec-fetch-site')
  const origin = request.get('origin')
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none'
  // Behind a proxy, the Host header may name the machine instead of the public URL.
  const ownHosts = [request.host, hostOf(publicUrl)]
  const isForeignOrigin = origin !== undefined && !ownHosts.includes(hostOf(origin) ?? '')
  if (isForeignSite || isForeignOrigin)
    throw new RequestError('request/cross-origin', 'This can only be asked for by the shop itself.')
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

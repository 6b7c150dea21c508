import { Refusal } from '../domain/refusal.ts'
import { plusMinutes } from '../domain/plus-minutes.ts'
import type { Caller } from '../engines/event-store/event-log.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { changeAdmin, recordPassword } from './admin-password.ts'
import { ADMIN_ID } from '../shop/hot/hot-states.ts'
import { normalisedEmail } from '../shop/keys.ts'
import { isPassword } from '../shop/passwords.ts'
import { callerFor, nowText, type Shop } from '../shop/shop.ts'

export const SESSION_HOURS = 12

interface StartedSession {
  readonly adminId: string
  readonly sessionId: string
  readonly position: Position
}

/** Starts a session by e-mail and password; a refused login is never appended. */
export async function logInAdmin(
  shop: Shop,
  caller: Caller,
  { email, password }: { email: string; password: string },
): Promise<StartedSession> {
  const [known, standing] = await Promise.all([
    shop.vault.secret('admin-email', Buffer.from('owner@localhost')),
    shop.vault.passwordHash(ADMIN_ID),
  ])
  const isOwner = normalisedEmail(email) === normalisedEmail(Buffer.from(known).toString())
  // An unknown e-mail takes as long to check, so that the time reveals nothing.
  const isRight = await isPassword(password, standing?.hash ?? '')
  if (!isOwner || !isRight || !standing)
    throw new Refusal('admin/wrong-credentials', 'Login failed. Please check your credentials.')
  const { passwordId } = standing
  await shop.hot.admin.refresh()
  if (shop.hot.admin.state.passwordId !== passwordId) await recordPassword(shop, callerFor(caller, 'mend'))

  const sessionId = shop.random.uuid()
  const expiresAt = plusMinutes(nowText(shop), SESSION_HOURS * 60)
  const position = await changeAdmin(shop, caller, { type: 'StartSession', sessionId, passwordId, expiresAt })
  return { adminId: ADMIN_ID, sessionId, position }
}

export async function logOutAdmin(shop: Shop, caller: Caller, sessionId: string): Promise<Position> {
  return changeAdmin(shop, caller, { type: 'EndSession', sessionId })
}

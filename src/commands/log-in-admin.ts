import { Refusal } from '../domain/refusal.ts'
import { plusMinutes } from '../domain/plus-minutes.ts'
import type { Caller } from '../log/event-log.ts'
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

/** Starts a session for e-mail and password. A refused login appends no event. */
export async function logInAdmin(
  shop: Shop,
  caller: Caller,
  { email, password }: { email: string; password: string },
): Promise<StartedSession> {
  const [ownersEmail, stored] = await Promise.all([
    shop.vault.secret('admin-email', Buffer.from('owner@localhost')),
    shop.vault.passwordHash(ADMIN_ID),
  ])
  const isOwner = normalisedEmail(email) === normalisedEmail(Buffer.from(ownersEmail).toString())
  // The password is checked for an unknown e-mail too, so that the response time does not reveal the owner's.
  const isRight = await isPassword(password, stored?.hash ?? '')
  if (!isOwner || !isRight || !stored)
    throw new Refusal('admin/wrong-credentials', 'Login failed. Please check your credentials.')
  const { passwordId } = stored
  // A crash can leave a new password in the vault that the log does not have yet.
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

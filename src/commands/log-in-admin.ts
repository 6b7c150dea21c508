import { Refusal } from '../domain/refusal.ts'
import { plusMinutes } from '../domain/plus-minutes.ts'
import type { Caller } from '../log/event-log.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { adminEmail, changeAdmin, recordPassword } from './admin-password.ts'
import { ADMIN_ID } from '../shop/hot/hot-states.ts'
import { normalisedEmail } from '../shop/keys.ts'
import { type GivenCode, takeCode } from '../shop/second-factor.ts'
import { isPassword } from '../shop/passwords.ts'
import { callerFor, nowText, type CommandContext } from '../shop/command-context.ts'

export const SESSION_HOURS = 12

interface Credentials extends Partial<GivenCode> {
  readonly email: string
  readonly password: string
}

interface StartedSession {
  readonly adminId: string
  readonly sessionId: string
  readonly position: Position
}

/** Starts a session for e-mail, password and, where a second factor is required, a code. A refused login appends no event. */
export async function logInAdmin(
  context: CommandContext,
  caller: Caller,
  { email, password, code, isKnownBrowser = false }: Credentials,
): Promise<StartedSession> {
  const [ownersEmail, stored] = await Promise.all([adminEmail(context.vault), context.vault.passwordHash(ADMIN_ID)])
  const isOwner = normalisedEmail(email) === normalisedEmail(ownersEmail)
  // The password is checked for an unknown e-mail too, so that the response time does not reveal the owner's.
  const isRight = await isPassword(password, stored?.hash ?? '')
  if (!isOwner || !isRight || !stored)
    throw new Refusal('admin/wrong-credentials', 'Login failed. Please check your credentials.')
  const { passwordId } = stored
  // A crash can leave a new password in the vault that the log does not have yet.
  await context.hot.admin.refresh()
  if (context.hot.admin.state.passwordId !== passwordId) await recordPassword(context, callerFor(caller, 'mend'))
  const { factorId } = context.hot.admin.state
  if (factorId !== undefined) await takeCode(context, factorId, { code, isKnownBrowser })

  const sessionId = context.random.uuid()
  const expiresAt = plusMinutes(nowText(context), SESSION_HOURS * 60)
  const position = await changeAdmin(context, caller, {
    type: 'StartSession',
    sessionId,
    passwordId,
    factorId,
    isNewBrowser: !isKnownBrowser,
    expiresAt,
  })
  return { adminId: ADMIN_ID, sessionId, position }
}

export async function endSessions(
  context: CommandContext,
  caller: Caller,
  sessionIds: readonly string[],
): Promise<Position> {
  return changeAdmin(context, caller, { type: 'EndSessions', sessionIds })
}

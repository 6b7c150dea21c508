import { Refusal } from '../domain/refusal.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import type { Caller } from '../log/event-log.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { type GivenCode, readFactor, recoveryHash, type SecondFactor, takeCode } from '../shop/second-factor.ts'
import { base32 } from '../shop/totp.ts'
import { assertPassword, changeAdmin, type StaffWorld } from './admin-password.ts'

const SECRET_BYTES = 20
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10
/** A new secret must be confirmed within this time. */
const PENDING_MS = 10 * 60_000
/** Secrets that were never confirmed are deleted after this time. */
const ABANDONED_MS = 3_600_000
const ABANDONED_MAX = 100

/**
 * Makes a secret for the owner's authenticator app. It is in force once a code has confirmed it: the row of the vault that the log names is in
 * force, and no other, so that a crash at any step leaves logins either as they were or with a secret that the owner's app has.
 */
export async function newSecondFactor(
  context: CommandContext,
  { currentPassword }: { currentPassword: string },
): Promise<{ factorId: string; secret: string }> {
  const { vault, random, hot } = context
  await assertPassword(context, currentPassword)
  await hot.admin.refresh()
  if (hot.admin.state.factorId !== undefined)
    throw new Refusal('admin/second-factor-on', 'Login codes are on already. Turn them off first.')
  const now = context.clock.now()
  const old = await vault.dueNotes('second-factor', { before: now - ABANDONED_MS, limit: ABANDONED_MAX })
  for (const note of old) await vault.deleteNote('second-factor', note)
  const [factorId, secret] = [random.uuid(), random.bytes(SECRET_BYTES)]
  const value: SecondFactor = {
    secret: Buffer.from(secret).toString('base64'),
    lastStep: 0,
    recovery: [],
    wrongAt: [],
  }
  await vault.writeNote('second-factor', { id: factorId, value, due: now }, 'absent')
  return { factorId, secret: base32(secret) }
}

/** From now on logins need a code. Repeated with the next code if its answer was lost: only the latest recovery codes are valid. */
export async function requireSecondFactor(
  context: CommandContext,
  caller: Caller,
  { factorId, code }: { factorId: string; code: string },
): Promise<{ recoveryCodes: readonly string[]; position: Position }> {
  const { vault, random, clock } = context
  const note = await readFactor(vault, factorId)
  if (!note || (note.due ?? 0) < clock.now() - PENDING_MS)
    throw new Refusal('admin/second-factor-expired', 'This secret has expired. Begin again.')
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(random.bytes(RECOVERY_BYTES)))
  const recovery = codes.map(recoveryHash)
  await takeCode(context, factorId, { code, isKnownBrowser: true }, (factor) => ({ ...factor, recovery }))
  const position = await changeAdmin(context, caller, { type: 'RequireSecondFactor', factorId })
  return { recoveryCodes: codes.map((one) => (one.match(/.{4}/g) ?? []).join('-')), position }
}

/** Makes a session fresh again, which nothing needs while no second factor is required. */
export async function confirmSession(
  context: CommandContext,
  caller: Caller,
  { sessionId, ...given }: GivenCode & { sessionId: string },
): Promise<Position> {
  const { state, position } = context.hot.admin
  if (state.factorId === undefined) return position
  await takeCode(context, state.factorId, given)
  return changeAdmin(context, caller, { type: 'ConfirmSession', sessionId })
}

/** Logins need no code any more; every session ends. */
export async function removeSecondFactor(context: CommandContext, caller: Caller, given: GivenCode): Promise<Position> {
  await context.hot.admin.refresh()
  const { factorId } = context.hot.admin.state
  if (factorId !== undefined) await takeCode(context, factorId, given)
  return (await resetSecondFactor(context, caller)).position
}

/** Removes the second factor without a code; by itself for the command line only. */
export async function resetSecondFactor(
  context: StaffWorld,
  caller: Caller,
): Promise<{ wasRequired: boolean; position: Position }> {
  const { hot, vault } = context
  await hot.admin.refresh()
  const { factorId } = hot.admin.state
  if (factorId === undefined) return { wasRequired: false, position: hot.admin.position }
  const position = await changeAdmin(context, caller, { type: 'RemoveSecondFactor', factorId })
  const note = await readFactor(vault, factorId)
  if (note) await vault.deleteNote('second-factor', note)
  return { wasRequired: true, position }
}

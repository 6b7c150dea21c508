import { admin as adminDecider, type AdminCommand } from '../domain/admin/admin.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Caller } from '../log/event-log.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { handleInMemory } from '../shop/handle-command.ts'
import { ADMIN_ID, type HotStates } from '../shop/hot/hot-states.ts'
import { hashPassword, isPassword, SALT_BYTES } from '../shop/passwords.ts'
import { callerFor, nowText, type CommandContext } from '../shop/command-context.ts'

export type StaffWorld = Pick<CommandContext, 'log' | 'vault' | 'clock' | 'random'> & {
  readonly hot: Pick<HotStates, 'admin'>
}

export interface AdminAccount {
  readonly email: string
  /** The password, if this process made it. */
  readonly madePassword: string | undefined
  /** No login and no other password yet: the account has only its first event. */
  readonly isUntouched: boolean
}

/** Creates the owner's account at the first start. */
export async function ensureAdmin(
  context: CommandContext,
  caller: Caller,
  first: { email: string; password: string | undefined },
): Promise<AdminAccount> {
  const email = await adminEmail(context.vault, first.email)
  if (await context.vault.passwordHash(ADMIN_ID)) {
    await recordPassword(context, caller)
    return { email, madePassword: undefined, isUntouched: isUntouched(context) }
  }
  const password = first.password ?? Buffer.from(context.random.bytes(15)).toString('base64url')
  const passwordId = context.random.uuid()
  const hash = await hashPassword(password, context.random.bytes(SALT_BYTES))
  const isOurs = await context.vault.setPasswordHash(ADMIN_ID, { passwordId, hash }, { replaces: undefined })
  await recordPassword(context, caller)
  const madePassword = isOurs && first.password === undefined ? password : undefined
  return { email, madePassword, isUntouched: isUntouched(context) }
}

function isUntouched({ hot }: Pick<StaffWorld, 'hot'>): boolean {
  return hot.admin.revision === 0
}

/** Sets a new password and ends every session, in every process, at its next request. */
export async function changeAdminPassword(
  context: CommandContext,
  caller: Caller,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<Position> {
  const passwordId = await assertPassword(context, currentPassword)
  return setAdminPassword(context, caller, newPassword, passwordId)
}

/** The address that the owner logs in with. */
export async function adminEmail(vault: CommandContext['vault'], first = 'owner@localhost'): Promise<string> {
  return Buffer.from(await vault.secret('admin-email', Buffer.from(first))).toString()
}

/** Returns the password's id. */
export async function assertPassword({ vault }: Pick<StaffWorld, 'vault'>, password: string): Promise<string> {
  const stored = await vault.passwordHash(ADMIN_ID)
  if (!stored || !(await isPassword(password, stored.hash)))
    throw new Refusal('admin/wrong-password', 'The current password is not right.')
  return stored.passwordId
}

/** Sets a password without the old one; for the command line only. */
export async function setAdminPassword(
  context: StaffWorld,
  caller: Caller,
  newPassword: string,
  replaces?: string,
): Promise<Position> {
  const old = replaces ?? (await context.vault.passwordHash(ADMIN_ID))?.passwordId
  const passwordId = context.random.uuid()
  const hash = await hashPassword(newPassword, context.random.bytes(SALT_BYTES))
  if (!(await context.vault.setPasswordHash(ADMIN_ID, { passwordId, hash }, { replaces: old })))
    throw new Refusal('admin/wrong-password', 'The password was changed by somebody else just now.')
  return recordPassword(context, caller)
}

/** Records in the log which password the vault has; after a crash between the two, the next start or login records it. */
export async function recordPassword(context: StaffWorld, caller: Caller): Promise<Position> {
  // The vault is read after the log, so that an older password never replaces a newer one.
  await context.hot.admin.refresh()
  const { state, position: seen } = context.hot.admin
  const stored = await context.vault.passwordHash(ADMIN_ID)
  if (!stored) return seen
  const { passwordId } = stored
  return changeAdmin(context, callerFor(caller, 'password'), {
    type: 'SetPassword',
    passwordId,
    replaces: state.passwordId,
  })
}

type AdminWish<Command = AdminCommand> = Command extends AdminCommand ? Omit<Command, 'adminId' | 'at'> : never

export async function changeAdmin(context: StaffWorld, caller: Caller, wish: AdminWish): Promise<Position> {
  const command = { adminId: ADMIN_ID, at: nowText(context), ...wish }
  const { position } = await handleInMemory(context, context.hot.admin, adminDecider, { command, caller })
  return position
}

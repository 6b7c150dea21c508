import type { CommandContext } from './command-context.ts'
import type { FailedMails } from './message-notes.ts'

/** Orders that one mail names. */
export const FOUND_ORDERS_MAX = 10
/** Mails to one address in a day. */
const MAILS_MAX = 3
const DAY_MS = 86_400_000

const REQUEST = 'find '
const COUNT = 'found '

/** Asks the sender of messages to mail this person the links of their orders. Does nothing for a stranger, or after three mails in a day. */
export async function requestLostOrders(
  { vault, keys, clock }: Pick<CommandContext, 'vault' | 'keys' | 'clock'>,
  email: string,
): Promise<void> {
  const emailHmac = keys.emailHmac(email)
  const [customerId] = await vault.customersByEmail(emailHmac)
  if (customerId === undefined) return
  const now = clock.now()
  if (!(await countMail({ vault }, `${COUNT}${keys.fingerprint(emailHmac)}`, now))) return
  const value: FailedMails = { revisions: [], attempts: 0, firstAt: now }
  // One that waits already answers this request, too.
  await vault.writeNote('message', { id: REQUEST + customerId, value, due: now }, 'absent')
}

/** The customer of such a request; undefined for any other message. */
export function findRequestOf(messageId: string): string | undefined {
  return messageId.startsWith(REQUEST) ? messageId.slice(REQUEST.length) : undefined
}

async function countMail({ vault }: Pick<CommandContext, 'vault'>, id: string, now: number): Promise<boolean> {
  const [note] = await vault.notes('state', [id])
  const times = ((note?.value ?? []) as readonly number[]).filter((at) => now - at < DAY_MS)
  if (times.length >= MAILS_MAX) return false
  return vault.writeNote('state', { id, value: [...times, now], due: now + DAY_MS }, note?.version ?? 'absent')
}

/** A note of due counts that limits nothing any more. */
export function isOldCount({ id }: { readonly id: string }): boolean {
  return id.startsWith(COUNT)
}

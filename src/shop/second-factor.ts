import { hash } from 'node:crypto'
import { Refusal } from '../domain/refusal.ts'
import { VaultAway, type VaultNote } from '../engines/vault/vault.ts'
import type { CommandContext } from './command-context.ts'
import { raiseAlarm } from './message-notes.ts'
import { stepOf } from './totp.ts'

/* The second factor's row in the vault. The conditional change of this row is what makes each code good once. */

export interface SecondFactor {
  /** Base64. */
  readonly secret: string
  /** The step of the last code used; older codes are not valid any more. */
  readonly lastStep: number
  /** Hashes of the recovery codes that are left. */
  readonly recovery: readonly string[]
  /** When unknown browsers gave wrong codes: the last five. */
  readonly wrongAt: readonly number[]
}

export interface GivenCode {
  readonly code: string | undefined
  /** A browser that the owner has logged in from: strangers' wrong codes do not close it. */
  readonly isKnownBrowser: boolean
}

type Vaulted = Pick<CommandContext, 'vault' | 'clock'>

const WRONG_MAX = 5
const CLOSED_MS = 15 * 60_000
/** Attempts of a change that loses to concurrent ones. */
const ATTEMPTS_MAX = 20

/** Uses up a code, and makes a further change in the same write. Throws if the code is wrong or missing. */
export async function takeCode(
  { vault, clock }: Vaulted,
  factorId: string,
  { code, isKnownBrowser }: GivenCode,
  change: (factor: SecondFactor) => SecondFactor = (factor) => factor,
): Promise<void> {
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
    const note = await readFactor(vault, factorId)
    if (!note) throw new Refusal('admin/second-factor-lost', LOST)
    if (code === undefined) throw new Refusal('admin/code-needed', 'Enter the code of your authenticator app.')
    const factor = note.value as SecondFactor
    const now = clock.now()
    if (!isKnownBrowser) assertOpen(factor, now)
    const after = withoutCode(factor, code, now)
    // Known browsers are limited by the count of logins.
    const wrongAt = isKnownBrowser ? factor.wrongAt : [...factor.wrongAt, now].slice(-WRONG_MAX)
    const value = after ? change(after) : { ...factor, wrongAt }
    if (!(await vault.writeNote('second-factor', { ...note, value }, note.version))) continue
    if (after) return
    if (!isKnownBrowser && closedUntil({ wrongAt }) > now) await raiseAlarm(vault, 'wrong-codes', now)
    throw new Refusal('admin/wrong-code', 'This code is wrong or was used already. Enter the next one of your app.')
  }
  throw new VaultAway('Too many change the second factor at once')
}

const LOST =
  'The log requires login codes, but the vault, an older copy, has no secret for them. On the machine of the shop, run: npm run shop -- admin reset-second-factor'

export async function readFactor(vault: CommandContext['vault'], factorId: string): Promise<VaultNote | undefined> {
  const [note] = await vault.notes('second-factor', [factorId])
  return note
}

/** Recovery codes are random enough for a plain hash. */
export function recoveryHash(code: string): string {
  return hash('sha256', code)
}

/** The row after this code was used; undefined if it is wrong. */
function withoutCode(factor: SecondFactor, typed: string, now: number): SecondFactor | undefined {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  const secret = Buffer.from(factor.secret, 'base64')
  const step = stepOf(code, { secret, now, after: factor.lastStep })
  if (step !== undefined) return { ...factor, lastStep: step }
  const recovery = factor.recovery.filter((one) => one !== recoveryHash(code))
  return recovery.length < factor.recovery.length ? { ...factor, recovery } : undefined
}

function assertOpen(factor: SecondFactor, now: number): void {
  const retryAfterS = Math.ceil((closedUntil(factor) - now) / 1_000)
  if (retryAfterS > 0)
    throw new Refusal('admin/too-many-codes', 'Too many wrong codes. Try again in 15 minutes.', { retryAfterS })
}

function closedUntil({ wrongAt }: Pick<SecondFactor, 'wrongAt'>): number {
  const [first = 0, last = 0] = [wrongAt[0], wrongAt.at(-1)]
  return wrongAt.length === WRONG_MAX && last - first < CLOSED_MS ? last + CLOSED_MS : 0
}

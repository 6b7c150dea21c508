import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { TryAgain } from '../ports/try-again.ts'

const argon2Async = promisify(argon2)

/** OWASP's second profile: 19 MiB, 2 passes. */
const MEMORY_KIB = 19_456
const PASSES = 2
const TAG_BYTES = 32
export const SALT_BYTES = 16

/** Each takes 19 MiB and a core: more at once would let strangers overload the shop. */
const AT_ONCE_MAX = 2
const WAITING_MAX = 50

const limit = pLimit(AT_ONCE_MAX)

/** Too many passwords are being checked. */
export class PasswordsBusy extends TryAgain {
  override readonly name = 'PasswordsBusy'
  readonly code = 'passwords-busy'
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (limit.activeCount + limit.pendingCount >= AT_ONCE_MAX + WAITING_MAX)
    throw new PasswordsBusy('Too many log-ins at once. Try again in a moment.')
  return limit(work)
}

async function tagOf(
  password: string,
  settings: { memory: number; passes: number; nonce: Uint8Array; tagLength: number },
): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'))
  return inTurn(async () => argon2Async('argon2id', { message, parallelism: 1, ...settings }))
}

/** A password as PHC text: `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`. */
export async function hashPassword(password: string, salt: Uint8Array): Promise<string> {
  const tag = await tagOf(password, { memory: MEMORY_KIB, passes: PASSES, nonce: salt, tagLength: TAG_BYTES })
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${base64(salt)}$${base64(tag)}`
}

/** Whether this is the password of `hash`. Takes as long for an invalid hash. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(hash)
  const [, memory = String(MEMORY_KIB), passes = String(PASSES), salt = 'AAAAAAAAAAAAAAAAAAAAAA', expected = ''] =
    match ?? []
  const known = Buffer.from(expected, 'base64')
  const nonce = Buffer.from(salt, 'base64')
  const tagLength = match ? known.length : TAG_BYTES
  const tag = await tagOf(password, { memory: Number(memory), passes: Number(passes), nonce, tagLength })
  return match !== null && tag.length === known.length && timingSafeEqual(tag, known)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}

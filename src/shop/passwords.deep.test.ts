import { expect, it } from 'vitest'
import { hashPassword, isPassword, PasswordsBusy, SALT_BYTES } from './passwords.ts'

const salt = Buffer.alloc(SALT_BYTES, 7)

it('only the same password matches its hash', async () => {
  const hash = await hashPassword('correct horse', salt)
  expect(await isPassword('correct horse', hash)).toBe(true)
  expect(await isPassword('correct horsE', hash)).toBe(false)
  expect(await isPassword('', hash)).toBe(false)
})

it('a password hash has the settings of OWASP, and names them', async () => {
  const hash = await hashPassword('correct horse', salt)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(hash).not.toContain('correct')
  expect(await hashPassword('correct horse', Buffer.alloc(SALT_BYTES, 8))).not.toBe(hash)
})

it('a password matches however its accents are typed', async () => {
  const hash = await hashPassword('caf\u00e9 au lait', salt)
  expect(await isPassword('cafe\u0301 au lait', hash)).toBe(true)
})

it.for(['', 'plain text', '$argon2i$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$AAAA', '$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$'])(
  'no password matches an invalid hash: %s',
  async (hash) => {
    expect(await isPassword('password', hash)).toBe(false)
  },
)

it('at most fifty password checks wait, and all of them are answered', async () => {
  const hash = await hashPassword('correct horse', salt)
  const asked = Array.from({ length: 53 }, async () => isPassword('correct horse', hash))
  const settled = await Promise.allSettled(asked)
  const refused = settled.filter((one) => one.status === 'rejected')
  expect(refused.map(({ reason }) => reason instanceof PasswordsBusy)).toEqual([true])
  expect(settled.filter((one) => one.status === 'fulfilled' && one.value)).toHaveLength(52)
  expect(await isPassword('correct horse', hash)).toBe(true)
})

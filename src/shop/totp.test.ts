import { expect, it } from 'vitest'
import { base32, stepAt, stepOf, totp } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

it.for([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const)('a code at second %d is that of RFC 6238', ([second, code]) => {
  expect(totp(secret, stepAt(second * 1_000))).toBe(code)
})

it('a code is valid one step before and after its own', () => {
  const now = 1_234_567_890_000
  const found = [-2, -1, 0, 1, 2].map((steps) => stepOf(totp(secret, stepAt(now) + steps), { secret, now, after: 0 }))
  expect(found).toEqual([undefined, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, undefined])
})

it('a code is not valid at or before the last step used', () => {
  const now = 1_234_567_890_000
  const given = { secret, now, after: stepAt(now) }
  expect([0, 1].map((steps) => stepOf(totp(secret, stepAt(now) + steps), given))).toEqual([undefined, stepAt(now) + 1])
})

it.for([
  ['fooba', 'MZXW6YTB'],
  ['12345678901234567890', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
] as const)('a secret is written as RFC 4648 writes it: %s', ([text, written]) => {
  expect(base32(Buffer.from(text))).toBe(written)
})

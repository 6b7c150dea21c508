import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hmacOf } from './hmac.ts'

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.integer({ min: 1_000, max: 1_100 }).map((length) => 'é'.repeat(length / 2)),
  fc.integer({ min: 1_020, max: 1_030 }).map((length) => 'x'.repeat(length)),
)

it('is what Node says it is, for every key and text, whatever was asked before', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.array(texts, { minLength: 1, maxLength: 5 }), (key, asked) => {
      const hmac = hmacOf(key)
      for (const text of asked)
        for (const encoding of ['hex', 'base64url'] as const)
          expect(hmac(text, encoding)).toBe(createHmac('sha256', key).update(text).digest(encoding))
    }),
  ))

it('takes no key that is longer than a block', () => {
  expect(() => hmacOf(new Uint8Array(65))).toThrow(RangeError)
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { loginRequest } from './admin.ts'
import { orderListQuery } from './order-list-query.ts'
import { orderCreate, refundCreate } from './order.ts'
import { productCreate } from './product.ts'
import { hasHidden, plainText } from './typed-text.ts'

it('the characters that cannot be seen are those of Unicode', () => {
  const unicode = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]/u
  const different: string[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const text = String.fromCodePoint(code)
    if (text.isWellFormed() && hasHidden(text) !== unicode.test(text)) different.push(code.toString(16))
  }
  expect(different).toEqual([])
})

const texts = {
  customerEmail: orderCreate.shape.customerEmail,
  discordUsername: orderCreate.shape.discordUsername,
  totalAmount: orderCreate.shape.totalAmount,
  whereTo: refundCreate.shape.whereTo,
  product: productCreate.shape.name,
  login: loginRequest.shape.email,
}
const piece = fc.oneof(
  fc.constantFrom(
    ...Array.from('a@.-_ ,<>"\t\n\u00a0\u200b\u200d\ufe0f\u202e\ufeff\u2800\u00ad\u3000é😀9+eE\u{e0020}'),
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
)
const written = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''))

interface Described {
  readonly type?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly anyOf?: readonly Described[]
}

function isDescribed(text: string, { type, pattern, minLength = 0, maxLength = Infinity, anyOf }: Described): boolean {
  if (anyOf) return anyOf.some((one) => isDescribed(text, one))
  if (type === 'number') return false
  const length = Array.from(text).length
  return length >= minLength && length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(text))
}

it.for(Object.entries(texts))('the description of %s takes what the shop takes', ([name, schema]) => {
  const described = z.toJSONSchema(schema, { io: 'input' }) as Described
  fc.assert(
    fc.property(written, (text) => {
      fc.pre(text.isWellFormed())
      // What is cut off inside an address is taken, and need not be described.
      fc.pre(name !== 'customerEmail' || !/[<>]/.test(text))
      fc.pre(name !== 'totalAmount' || text === plainText(text))
      expect([text, z.safeParse(schema, text).success]).toEqual([text, isDescribed(text, described)])
    }),
    { numRuns: 5_000 },
  )
})

it.for([
  ['2026-01-31', true],
  ['2024-02-29', true],
  ['9999-12-31', true],
  ['2026-02-29', false],
  ['0000-01-01', false],
  ['2026-13-01', false],
  ['26-01-01', false],
  ['2026-01-31T12:00:00Z', true],
  ['2026-01-31T12:00:00.123+05:30', true],
  ['2026-01-31t12:00:00z', true],
  ['2026-01-31T12:00:00', false],
  ['2026-02-30T12:00:00Z', false],
  ['2026-01-31T25:00:00Z', false],
] as const)('the list can begin at %s: %s', ([from, isTaken]) => {
  expect(z.safeParse(orderListQuery, { from }).success).toBe(isTaken)
})

it('a length counts characters, as its description does', () => {
  const { discordUsername } = orderCreate.shape
  expect(z.safeParse(discordUsername, '😀'.repeat(64)).success).toBe(true)
  expect(z.safeParse(discordUsername, '😀'.repeat(65)).success).toBe(false)
})

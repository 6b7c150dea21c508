import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SealBroken, unseal, seal } from './sealing.ts'

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const customer = fc.record({
  customerId: fc.string({ unit: fc.constantFrom(...BASE64URL.split('')), minLength: 1, maxLength: 40 }),
  key: bytes(32),
})
const plain = fc.string({ unit: 'binary', maxLength: 200 })
const context = fc.uuid().map((id) => `order-${id}`)
const nonce = bytes(12)
const anna = { customerId: 'anna', key: new Uint8Array(32).fill(7) }
const annas = seal(anna, 'anna@example.com', 'order-1', new Uint8Array(12).fill(9))

it('a sealed text opens with its key in its place', () => {
  fc.assert(
    fc.property(customer, plain, context, nonce, (customer, plain, context, nonce) => {
      const sealed = seal(customer, plain, context, nonce)
      expect(unseal(sealed, customer.key, context)).toBe(plain)
    }),
  )
})

it('the stored format of a sealed text does not change', () => {
  expect(annas).toBe('v1.anna.CQkJCQkJCQkJCQkJRuvq9f6VuQDNEqddyInMsnxs93d9-jWJHBTxxpBk7ww')
})

it('a sealed text reveals only the length of its content', () => {
  fc.assert(
    fc.property(customer, nonce, fc.string({ unit: 'grapheme-ascii', minLength: 8 }), (customer, nonce, plain) => {
      const bytes = Buffer.from(seal(customer, plain, 'order-1', nonce).split('.')[2] ?? '', 'base64url')
      expect(bytes).toHaveLength(12 + plain.length + 16)
      expect(bytes.includes(plain)).toBe(false)
    }),
  )
})

it('a sealed text with a flipped bit does not open', () => {
  fc.assert(
    fc.property(customer, plain, context, nonce, fc.nat(), fc.nat(6), (customer, plain, context, nonce, at, bit) => {
      const text = Buffer.from(seal(customer, plain, context, nonce))
      const index = at % text.length
      text.writeUInt8(text.readUInt8(index) ^ (1 << bit), index)
      expect(() => unseal(text.toString('latin1'), customer.key, context)).toThrow(SealBroken)
    }),
    { numRuns: 1_000 },
  )
})

it('a sealed text does not open in another place', () => {
  fc.assert(
    fc.property(customer, plain, context, nonce, fc.string(), (customer, plain, context, nonce, other) => {
      fc.pre(other !== context)
      expect(() => unseal(seal(customer, plain, context, nonce), customer.key, other)).toThrow(SealBroken)
    }),
  )
})

it('a sealed text does not open with another key of any length', () => {
  fc.assert(
    fc.property(
      customer,
      plain,
      context,
      nonce,
      fc.uint8Array({ maxLength: 40 }),
      (customer, plain, context, nonce, other) => {
        fc.pre(Buffer.compare(other, customer.key) !== 0)
        expect(() => unseal(seal(customer, plain, context, nonce), other, context)).toThrow(SealBroken)
      },
    ),
  )
})

it('a sealed text that is cut or extended does not open', () => {
  for (let length = 0; length < annas.length; length += 1) {
    expect(() => unseal(annas.slice(0, length), anna.key, 'order-1')).toThrow(SealBroken)
  }
  for (const more of ['A', '=', '.', ' ', '\n']) {
    expect(() => unseal(annas + more, anna.key, 'order-1')).toThrow(SealBroken)
  }
})

it.for(['###', 'short', `${'A'.repeat(40)}=`, `${'A'.repeat(40)}.A`])(
  'a text that is no sealed text does not open: %s',
  (blob) => {
    expect(() => unseal(`v1.anna.${blob}`, anna.key, 'order-1')).toThrow(SealBroken)
  },
)

it('any other text is rejected as not sealed', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `v1.anna.${text}`),
      ),
      (text) => {
        fc.pre(text !== annas)
        expect(() => unseal(text, anna.key, 'order-1')).toThrow(SealBroken)
        expect(() => unseal(text, anna.key, 'order-1')).not.toThrow(/openssl|unsupported|auth|error:/i)
      },
    ),
  )
  expect(() => unseal(annas, new Uint8Array(5), 'order-1')).not.toThrow(/openssl|unsupported|invalid|error:/i)
})

it('a text that could not be opened again is not sealed', () => {
  const nonce = new Uint8Array(12)
  for (const customerId of ['', 'a.b', 'anna@example.com'])
    expect(() => seal({ ...anna, customerId }, 'text', 'order-1', nonce)).toThrow(RangeError)
  expect(() => seal(anna, 'half a smile: \ud83d', 'order-1', nonce)).toThrow(RangeError)
  for (const length of [0, 11, 13, 16])
    expect(() => seal(anna, 'text', 'order-1', new Uint8Array(length))).toThrow(RangeError)
  for (const length of [0, 16, 31, 33])
    expect(() => seal({ ...anna, key: new Uint8Array(length) }, 'text', 'order-1', nonce)).toThrow(RangeError)
})

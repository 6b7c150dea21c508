import { expect, it } from 'vitest'
import { seededRandom } from '../ports/testing/clock.ts'
import { memoryVault } from '../engines/vault/testing/memory-vault.ts'
import { normalisedEmail, receiptStream, type ShopKeys, shopKeys } from './keys.ts'

async function keysOf(seed = 1): Promise<ShopKeys> {
  return shopKeys(memoryVault(), (count) => seededRandom(seed).bytes(count))
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it('a reference leads back to its order and attempt', async () => {
  const keys = await keysOf()
  const random = seededRandom(2)
  const ids = Array.from({ length: 200 }, () => random.uuid())
  const edges = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
  for (const orderId of [...ids, ...edges])
    for (const attempt of [1, 20]) {
      const reference = keys.reference(orderId, attempt)
      expect(reference).toMatch(/^[A-Z2-7]{30}$/)
      expect(keys.referred(reference)).toEqual({ orderId, attempt })
    }
})

it.for(['', 'x', 'A'.repeat(26), 'A'.repeat(29), `${'A'.repeat(25)}BBAAA`, 'a'.repeat(30), 'A'.repeat(31)])(
  'another text is no reference: %s',
  async (text) => {
    expect((await keysOf()).referred(text)).toBeUndefined()
  },
)

it('a reference never changes, and needs an order id', async () => {
  const keys = await keysOf()
  const before = keys.reference('0c8f2f6e-9b0c-4b53-8f6b-2f4f7b1f8d11', 3)
  expect(before).toMatch(/^BHMUT6TXDFBJL5WBKIXQ6TUGOID/)
  for (const wrong of ['', '0c8f2f6e', '0c8f2f6e-9b0c-4b53-8f6b-2f4f7b1f8d11-00', 'not an id']) {
    expect(() => keys.reference(wrong, 1)).toThrow(TypeError)
    expect(keys.reference('0c8f2f6e-9b0c-4b53-8f6b-2f4f7b1f8d11', 3)).toBe(before)
  }
})

it('an invented reference fails its check', async () => {
  const keys = await keysOf()
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const invented = Array.from({ length: 1_000 }, (_, index) => {
    const bytes = seededRandom(index).bytes(30)
    return [...bytes].map((byte, place) => letters[place === 25 ? byte & 28 : byte & 31]).join('')
  })
  expect(invented.filter((reference) => keys.referred(reference))).toEqual([])
})

it('derived keys are the same in every process and after a restart', async () => {
  const vault = memoryVault()
  const first = await shopKeys(vault, (count) => seededRandom(1).bytes(count))
  const second = await shopKeys(vault, (count) => seededRandom(2).bytes(count))
  for (const from of [first, second]) {
    expect(from.orderIdFor('key-1')).toBe(first.orderIdFor('key-1'))
    expect(from.fingerprint('text')).toBe(first.fingerprint('text'))
    expect(from.emailHmac('ash@example.com')).toEqual(first.emailHmac('ash@example.com'))
    expect(from.orderNumber(7)).toBe(first.orderNumber(7))
    expect(from.secretFor('session')).toEqual(first.secretFor('session'))
  }
})

it('order numbers and ids are the same in every release', async () => {
  const keys = await keysOf()
  expect(keys.orderNumber(1)).toBe('TGH8QSG7')
  expect(keys.orderIdFor('key-1')).toBe('c9ca5927-2bd4-49be-88a6-694e3c0acf0d')
})

it('derived keys differ for every purpose', async () => {
  const keys = await keysOf()
  const ash = 'ash@example.com'
  const all = [
    keys.fingerprint(ash),
    keys.emailHmac(ash),
    ...['a', 'b'].map((purpose) => Buffer.from(keys.secretFor(purpose)).toString('base64url')),
  ]
  expect(new Set(all).size).toBe(4)
})

it('any Idempotency-Key makes a valid order id', async () => {
  const keys = await keysOf()
  const ids = ['1', '2', 'k'.repeat(255), 'ключ'].map((key) => keys.orderIdFor(key))
  for (const id of ids) expect(id).toMatch(UUID)
  expect(new Set(ids).size).toBe(4)
})

it('all spellings of an e-mail have the same key', async () => {
  const keys = await keysOf()
  expect(normalisedEmail(' Ash@Example.COM ')).toBe('ash@example.com')
  expect(keys.emailHmac(' Ash@Example.COM ')).toEqual(keys.emailHmac('ash@example.com'))
  expect(keys.emailHmac('ash@example.com')).not.toEqual(keys.emailHmac('ash@example.org'))
  expect(keys.emailHmac('zoe\u0308@example.com')).toEqual(keys.emailHmac('zo\u00eb@example.com'))
})

it('no product has the id of an order', async () => {
  const keys = await keysOf()
  expect(keys.productIdFor('K')).toMatch(UUID)
  expect(keys.productIdFor('K')).not.toBe(keys.orderIdFor('K'))
  expect(keys.productIdFor('K')).not.toBe(keys.orderIdFor('product:K'))
})

it("the stream of a receipt does not reveal the provider's id", () => {
  const stream = receiptStream('upi', '123456789012')
  expect(stream).toMatch(/^receipt-upi-[0-9a-f]{40}$/)
  expect(receiptStream('paypal', '123456789012')).not.toBe(stream)
  expect(receiptStream('upi', '123456789013')).not.toBe(stream)
})

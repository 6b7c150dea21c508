import { beforeEach, describe, expect, it } from 'vitest'
import { memoryVaultRows } from './testing/memory-vault.ts'
import { candidate } from './testing/vault-steps.ts'
import { type CustomerKey, type Vault, VaultAway, VaultDamaged } from './vault.ts'
import type { VaultRows } from './vault-rows.ts'
import { vaultOver } from './vault-rules.ts'

let rows: VaultRows
let vault: Vault

beforeEach(() => {
  rows = memoryVaultRows()
  vault = vaultOver(rows)
})

async function keysOf(...customers: readonly CustomerKey[]) {
  const keys = await vault.keysOf(customers.map(({ customerId }) => customerId))
  return customers.map(({ customerId }) => keys.get(customerId))
}

it('raising a mark never lowers it, setting it always changes it', async () => {
  expect(await vault.readMark('head')).toBeUndefined()
  await vault.raiseMark('head', '0005')
  await vault.raiseMark('head', '0003')
  expect(await vault.readMark('head')).toBe('0005')
  await Promise.all(['0008', '0009', '0007'].map(async (value) => vault.raiseMark('head', value)))
  expect(await vault.readMark('head')).toBe('0009')
  await vault.setMark('head', '0001')
  await vault.setMark('other', 'x')
  expect([await vault.readMark('head'), await vault.readMark('other')]).toEqual(['0001', 'x'])
})

it('a new e-mail gets the offered id and key, a known one its first', async () => {
  const [anna, bert] = [candidate(), candidate()]
  expect(await vault.customerByEmail('anna', anna)).toEqual(anna)
  expect(await vault.customerByEmail('anna', candidate())).toEqual(anna)
  expect(await vault.customerByEmail('bert', bert)).toEqual(bert)
  expect(await keysOf(anna, bert)).toEqual([anna.key, bert.key])
})

it('fifty concurrent requests of one e-mail get the same customer', async () => {
  const offered = Array.from({ length: 50 }, candidate)
  const answers = await Promise.all(offered.map((candidate) => vault.customerByEmail('anna', candidate)))
  expect(offered).toContainEqual(answers[0])
  expect(answers).toEqual(answers.map(() => answers[0]))
  expect((await vault.keysOf(offered.map(({ customerId }) => customerId))).size).toBe(1)
})

it('an id of another customer is rejected, and concurrent requests succeed', async () => {
  const anna = await vault.customerByEmail('anna', candidate())
  const offered = candidate()
  const [bert, carl] = await Promise.allSettled([
    vault.customerByEmail('bert', { customerId: anna.customerId, key: candidate().key }),
    vault.customerByEmail('carl', offered),
  ])
  expect(bert).toMatchObject({ status: 'rejected', reason: { name: 'CustomerIdTaken' } })
  expect(carl).toEqual({ status: 'fulfilled', value: offered })
  expect(await vault.keysOf([anna.customerId])).toEqual(new Map([[anna.customerId, anna.key]]))
})

it('a key that has not 32 bytes is rejected', async () => {
  const short = { customerId: 'short', key: new Uint8Array(31) }
  await expect(vault.customerByEmail('anna', short)).rejects.toThrow(TypeError)
  expect((await vault.keysOf(['short'])).size).toBe(0)
})

it('a vault does not change when a caller changes its bytes', async () => {
  const offered = candidate()
  const { key } = offered
  const expected = key.slice()
  const answer = await vault.customerByEmail('anna', offered)
  key.fill(1)
  expect(answer.key).toEqual(expected)
  answer.key.fill(2)
  for (const bytes of (await vault.keysOf([offered.customerId])).values()) if (bytes !== 'erased') bytes.fill(3)
  expect(await vault.keysOf([offered.customerId])).toEqual(new Map([[offered.customerId, expected]]))

  const secret = new Uint8Array(32).fill(4)
  const kept = await vault.secret('session', secret)
  secret.fill(5)
  expect(kept).toEqual(new Uint8Array(32).fill(4))
  kept.fill(6)
  expect(await vault.secret('session', secret)).toEqual(new Uint8Array(32).fill(4))
})

it('keys of unknown customers are missing from the answer', async () => {
  const { customerId, key } = await vault.customerByEmail('anna', candidate())
  expect(await vault.keysOf(['nobody', customerId, 'nobody'])).toEqual(new Map([[customerId, key]]))
  expect(await vault.keysOf([])).toEqual(new Map())
})

it('one call takes at most 1,000 customers', async () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `nobody-${index}`)
  expect(await vault.keysOf(ids)).toEqual(new Map())
  await expect(vault.keysOf([...ids, 'nobody'])).rejects.toThrow(RangeError)
  await expect(vault.deleteCustomers([...ids, 'nobody'])).rejects.toThrow(RangeError)
})

describe('erasing', () => {
  const first = { erasureId: 'first', at: 1_000 }
  const second = { erasureId: 'second', at: 2_000 }

  it('an e-mail has at most one attached customer, and those whose erasure is unfinished', async () => {
    const before = await vault.customerByEmail('anna', candidate())
    await vault.customerByEmail('bert', candidate())
    await vault.detachEmail(before.customerId, first)
    expect(await vault.customersByEmail('anna')).toEqual([before.customerId])
    expect(await keysOf(before)).toEqual([before.key])
    const after = await vault.customerByEmail('anna', candidate())
    expect(after.customerId).not.toBe(before.customerId)
    expect((await vault.customersByEmail('anna')).toSorted()).toEqual([before.customerId, after.customerId].toSorted())
    await vault.deleteCustomers([before.customerId])
    expect(await vault.customersByEmail('anna')).toEqual([after.customerId])
    expect(await vault.customersByEmail('carl')).toEqual([])
  })

  it('all customers of an e-mail are found while erasures begin and are cancelled', async () => {
    const { customerId } = await vault.customerByEmail('anna', candidate())
    await vault.detachEmail(customerId, first)
    const looking = vaultOver({
      ...rows,
      async byAlias(kind, word) {
        await vault.detachEmail(customerId, first)
        return rows.byAlias(kind, word)
      },
      async since(kind, options) {
        await vault.attachEmail(customerId, 'first')
        return rows.since(kind, options)
      },
    })
    expect(await looking.customersByEmail('anna')).toEqual([customerId])
  })

  it('an erasure is cancelled, with everything as before, or decided once', async () => {
    const anna = await vault.customerByEmail('anna', candidate())
    const { customerId } = anna
    await vault.detachEmail(customerId, first)
    expect(await vault.attachEmail(customerId, 'first')).toBe(true)
    expect(await vault.customerByEmail('anna', candidate())).toEqual(anna)
    expect(await vault.detached({ before: Infinity, limit: 10 })).toEqual([])
    expect(await vault.decideErasure(customerId, 'first')).toBe(false)
    await vault.detachEmail(customerId, second)
    expect(await vault.decideErasure(customerId, 'second')).toBe(true)
    expect(await vault.decideErasure(customerId, 'second')).toBe(true)
    expect(await vault.attachEmail(customerId, 'second')).toBe(false)
  })

  it('only the latest erasure may decide, and a decision stays when another process takes over', async () => {
    const { customerId } = await vault.customerByEmail('anna', candidate())
    await vault.detachEmail(customerId, first)
    await vault.detachEmail(customerId, second)
    expect(await vault.decideErasure(customerId, 'first')).toBe(false)
    expect(await vault.attachEmail(customerId, 'first')).toBe(false)
    expect(await vault.decideErasure(customerId, 'second')).toBe(true)
    expect(await vault.detachEmail(customerId, first)).toBe(true)
    expect(await vault.attachEmail(customerId, 'first')).toBe(false)
    expect(await vault.decideErasure(customerId, 'first')).toBe(true)
  })

  it('an erasure cannot be cancelled while its e-mail has a newer customer', async () => {
    const before = await vault.customerByEmail('anna', candidate())
    await vault.detachEmail(before.customerId, first)
    const after = await vault.customerByEmail('anna', candidate())
    expect(await vault.attachEmail(before.customerId, 'first')).toBe(false)
    expect(await vault.customerByEmail('anna', candidate())).toEqual(after)
    expect(await vault.detached({ before: Infinity, limit: 10 })).toEqual([before.customerId])
  })

  it('an erased or unknown customer cannot be detached, attached or decided', async () => {
    const { customerId } = await vault.customerByEmail('anna', candidate())
    await vault.detachEmail(customerId, first)
    await vault.deleteCustomers([customerId])
    for (const id of [customerId, 'nobody']) {
      expect(await vault.detachEmail(id, second)).toBe(false)
      expect(await vault.attachEmail(id, 'first')).toBe(false)
      expect(await vault.decideErasure(id, 'first')).toBe(false)
    }
    const offered = candidate()
    expect(await vault.customerByEmail('anna', offered)).toEqual(offered)
  })

  it('an unfinished erasure is listed by its beginning', async () => {
    const { customerId } = await vault.customerByEmail('anna', candidate())
    await vault.detachEmail(customerId, first)
    expect(await vault.detached({ before: 1_000, limit: 10 })).toEqual([])
    expect(await vault.detached({ before: 1_001, limit: 10 })).toEqual([customerId])
    await vault.deleteCustomers([customerId])
    expect(await vault.detached({ before: 1_001, limit: 10 })).toEqual([])
  })

  it('deleting customers leaves no key, frees their e-mail, and may be repeated', async () => {
    const [anna, bert, again] = [candidate(), candidate(), candidate()]
    await vault.customerByEmail('anna', anna)
    await vault.customerByEmail('bert', bert)
    await vault.deleteCustomers([anna.customerId])
    await vault.deleteCustomers([anna.customerId, 'nobody'])
    await vault.deleteCustomers([])
    expect(await vault.keysOf([anna.customerId, 'nobody', 'nobody else'])).toEqual(
      new Map([
        [anna.customerId, 'erased'],
        ['nobody', 'erased'],
      ]),
    )
    expect(await keysOf(bert)).toEqual([bert.key])
    expect(await vault.customerByEmail('anna', again)).toEqual(again)
    expect(await vault.customerByEmail('bert', candidate())).toEqual(bert)
  })
})

it('a name keeps its first secret', async () => {
  const [first, other, email] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte))
  if (!first || !other || !email) throw new Error('there are three')
  const answers = await Promise.all([first, other, other].map((secret) => vault.secret('session', secret)))
  expect(answers).toEqual([first, first, first])
  expect(await vault.secret('email', email)).toEqual(email)
})

it('a password hash is replaced only by a caller who names the current one', async () => {
  const first = { passwordId: 'one', hash: '$argon2id$1' }
  const second = { passwordId: 'two', hash: '$argon2id$2' }
  expect(await vault.passwordHash('owner')).toBeUndefined()
  expect(await vault.setPasswordHash('owner', second, { replaces: 'one' })).toBe(false)
  expect(await vault.setPasswordHash('owner', first, { replaces: undefined })).toBe(true)
  expect(await vault.setPasswordHash('owner', second, { replaces: undefined })).toBe(false)
  expect(await vault.passwordHash('owner')).toEqual(first)
  expect(await vault.setPasswordHash('owner', second, { replaces: 'one' })).toBe(true)
  expect(await vault.setPasswordHash('owner', first, { replaces: 'one' })).toBe(false)
  expect(await vault.passwordHash('owner')).toEqual(second)
  expect(await vault.passwordHash('somebody else')).toBeUndefined()
})

it('closing a vault completes earlier calls and rejects later ones', async () => {
  const offered = candidate()
  const asked = [
    vault.customerByEmail('anna', offered),
    vault.secret('session', new Uint8Array(32)),
    vault.passwordHash('owner'),
    vault.deleteCustomers(['nobody']),
  ]
  await vault.close()
  expect(await Promise.all(asked)).toEqual([offered, new Uint8Array(32), undefined, undefined])
  await vault.close()
  await expect(vault.customerByEmail('anna', candidate())).rejects.toThrow(VaultAway)
  await expect(vault.keysOf([offered.customerId])).rejects.toThrow(VaultAway)
  await expect(vault.deleteCustomers([offered.customerId])).rejects.toThrow(VaultAway)
  await expect(vault.secret('session', new Uint8Array(32))).rejects.toThrow(VaultAway)
  await expect(vault.setPasswordHash('owner', password, { replaces: undefined })).rejects.toThrow(VaultAway)
})

it.for([
  ['customer', 'anna', async () => vault.keysOf(['anna'])],
  ['secret', 'root', async () => vault.secret('root', new Uint8Array(32))],
  ['password', 'owner', async () => vault.passwordHash('owner')],
  ['mark', 'head', async () => vault.readMark('head')],
] as const)('a damaged %s is named, and a damaged customer can be erased', async ([kind, id, ask]) => {
  await vault.customerByEmail('hmac', { customerId: 'anna', key: candidate().key })
  await vault.secret('root', new Uint8Array(32))
  await vault.setPasswordHash('owner', password, { replaces: undefined })
  await vault.setMark('head', '1')
  const [row] = await rows.read(kind, [id])
  if (!row) throw new Error(`there is no ${id}`)
  await rows.write({ ...row, value: row.value.replace(/\w/, 'x') }, row.version)
  await expect(ask()).rejects.toThrow(`The vault's ${kind} "${id}" is damaged: stop the shop`)
  await vault.deleteCustomers(['anna'])
  expect(await vault.keysOf(['anna'])).toEqual(new Map([['anna', 'erased']]))
})

it('an erasure is unfinished until its bytes are wiped, also without a detached e-mail', async () => {
  const { customerId } = await vault.customerByEmail('anna', candidate())
  const breaking = vaultOver({ ...rows, wipe: async () => Promise.reject(new VaultAway('played')) })
  await expect(breaking.deleteCustomers([customerId])).rejects.toThrow(VaultAway)
  expect(await vault.keysOf([customerId])).toEqual(new Map([[customerId, 'erased']]))
  expect(await vault.detached({ before: 1, limit: 9 })).toEqual([customerId])
  await vault.deleteCustomers([customerId])
  expect(await vault.detached({ before: 1, limit: 9 })).toEqual([])
})

it('a read-only vault stores no secret', async () => {
  await expect(vaultOver(rows, { isReadOnly: true }).secret('root', new Uint8Array(32))).rejects.toThrow(VaultDamaged)
  expect(await rows.read('secret', ['root'])).toEqual([])
})

it('a vault rejects calls beyond its limit', async () => {
  const never = vaultOver({ ...rows, read: async () => new Promise(() => undefined) })
  for (let call = 0; call < 10_000; call += 1) void never.readMark('head')
  await expect(never.readMark('head')).rejects.toThrow(/too many/i)
})

const password = { passwordId: 'one', hash: '$argon2id$1' }

it('a note is written and deleted at the version that was read, and listed once it is due', async () => {
  const note = { id: 'a', value: { attempts: 1 }, due: 5 }
  expect(await vault.writeNote('message', note, 'absent')).toBe(true)
  expect(await vault.writeNote('message', note, 'absent')).toBe(false)
  expect(await vault.writeNote('message', { ...note, due: 7 }, 1)).toBe(true)
  expect(await vault.writeNote('message', { ...note, id: 'b', due: undefined }, 'absent')).toBe(true)
  expect(await vault.notes('message', ['a', 'c'])).toEqual([{ ...note, due: 7, version: 2 }])
  expect(await vault.dueNotes('message', { before: 7, limit: 9 })).toEqual([])
  expect(await vault.dueNotes('message', { before: 8, limit: 9 })).toEqual([{ ...note, due: 7, version: 2 }])
  expect(await vault.notes('state', ['a'])).toEqual([])
  expect(await vault.deleteNote('message', { id: 'a', version: 1 })).toBe(false)
  expect(await vault.deleteNote('message', { id: 'a', version: 2 })).toBe(true)
  expect(await vault.notes('message', ['a'])).toEqual([])
})

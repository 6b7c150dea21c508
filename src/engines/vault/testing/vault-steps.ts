import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { CustomerKey, Vault } from '../vault.ts'

/** Looks whether something is so; `files` are the bytes of the vault's files, where it has any. */
type Check = (vault: Vault, files?: readonly Buffer[]) => Promise<unknown>

/** What must be so from then on, each of a thing of its own. */
export type Answered = Map<string, Check>

/** A key as it lies in a vault's files. */
export function storedKey({ key }: CustomerKey): string {
  return Buffer.from(key).toString('base64')
}

export function candidate(): CustomerKey {
  return { customerId: randomBytes(16).toString('base64url'), key: new Uint8Array(randomBytes(32)) }
}

const keyOf = async (vault: Vault, { customerId }: CustomerKey) => (await vault.keysOf([customerId])).get(customerId)

/** Whatever a vault can be asked to do, one after the other, for tests in which it dies or breaks at any of them. */
export function vaultSteps() {
  const [anna, bert, carl, secret] = [candidate(), candidate(), candidate(), new Uint8Array(randomBytes(32))]
  const hash = { passwordId: 'one', hash: '$argon2id$1' }
  const erasure = { erasureId: 'one', at: 1_000 }
  const isAnna: Check = async (vault) => expect(await vault.customerByEmail('anna', candidate())).toEqual(anna)
  const steps: readonly [of: string, work: (vault: Vault) => Promise<unknown>, then: Check][] = [
    [
      'secret',
      (vault) => vault.secret('root', secret),
      async (vault) => expect(await vault.secret('root', new Uint8Array(32))).toEqual(secret),
    ],
    ['anna', (vault) => vault.customerByEmail('anna', anna), isAnna],
    [
      'bert and carl',
      (vault) => Promise.all([vault.customerByEmail('bert', bert), vault.customerByEmail('carl', carl)]),
      async (vault) => expect((await vault.keysOf([bert.customerId, carl.customerId])).size).toBe(2),
    ],
    [
      'password',
      (vault) => vault.setPasswordHash('owner', hash, { replaces: undefined }),
      async (vault) => expect(await vault.passwordHash('owner')).toEqual(hash),
    ],
    [
      'anna',
      (vault) => vault.detachEmail(anna.customerId, erasure),
      async (vault) => expect(await vault.customersByEmail('anna')).toEqual([anna.customerId]),
    ],
    ['anna', (vault) => vault.attachEmail(anna.customerId, 'one'), isAnna],
    [
      'carl',
      (vault) => vault.detachEmail(carl.customerId, erasure),
      async (vault) => expect(await vault.detached({ before: 2_000, limit: 9 })).toContain(carl.customerId),
    ],
    [
      'carl',
      (vault) => vault.decideErasure(carl.customerId, 'one'),
      async (vault) => expect(await vault.attachEmail(carl.customerId, 'one')).toBe(false),
    ],
    [
      'carl',
      (vault) => vault.deleteCustomers([carl.customerId]),
      async (vault, files = []) => {
        expect(await keyOf(vault, carl)).toBe('erased')
        for (const bytes of files) expect(bytes.includes(storedKey(carl))).toBe(false)
      },
    ],
    [
      'dora',
      (vault) => vault.customerByEmail('dora', candidate()),
      async (vault) => expect(await vault.customersByEmail('dora')).toHaveLength(1),
    ],
  ]
  return {
    async play(vault: Vault, answered: Answered): Promise<void> {
      for (const [of, work, then] of steps) {
        // While it is under way, either may be.
        answered.delete(of)
        await work(vault)
        answered.set(of, then)
      }
    },
    /** Of whom was erased no key is left. */
    async checkWiped(vault: Vault, files: readonly Buffer[]): Promise<void> {
      for (const one of [anna, bert, carl])
        if ((await keyOf(vault, one)) === 'erased')
          for (const bytes of files) expect(bytes.includes(storedKey(one))).toBe(false)
    },
    /** Everything that was answered is so, and the vault goes on. */
    async check(vault: Vault, answered: Answered, files?: readonly Buffer[]): Promise<void> {
      for (const isKept of answered.values()) await isKept(vault, files)
      for (const person of ['anna', 'bert', 'emil']) await vault.customerByEmail(person, candidate())
      expect(await vault.customersByEmail('emil')).toHaveLength(1)
      await vault.deleteCustomers([bert.customerId])
      expect(await keyOf(vault, bert)).toBe('erased')
    },
  }
}

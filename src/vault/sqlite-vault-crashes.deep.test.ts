import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { aroundEachStatement, crashPoints } from '../testing/crash-points.ts'
import { sqliteVault } from './sqlite-vault.ts'
import { type CustomerKey, type Vault, VaultAway } from './vault.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vault-crashes-'))
  file = join(folder, 'vault.db')
})

afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

function candidate(): CustomerKey {
  return { customerId: randomBytes(16).toString('base64url'), key: new Uint8Array(randomBytes(32)) }
}

describe('a vault whose process died between any two statements', () => {
  it('has everything that was answered, and goes on', { timeout: 60_000 }, async () => {
    const [anna, bert, carl] = [candidate(), candidate(), candidate()]
    const secret = new Uint8Array(randomBytes(32))
    const hash = { passwordId: 'one', hash: '$argon2id$1' }
    const erasure = { erasureId: 'one', at: 1_000 }
    /** What must be so from then on, each of a thing of its own. */
    const promises = new Map<string, (vault: Vault, file: string) => Promise<void>>()
    const steps: [
      of: string,
      work: (vault: Vault) => Promise<unknown>,
      then: (vault: Vault, file: string) => Promise<void>,
    ][] = [
      [
        'secret',
        (vault) => vault.secret('root', secret),
        async (vault) => expect(await vault.secret('root', new Uint8Array(32))).toEqual(secret),
      ],
      [
        'anna',
        (vault) => vault.customerByEmail('anna', anna),
        async (vault) => expect(await vault.customerByEmail('anna', candidate())).toEqual(anna),
      ],
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
      [
        'anna',
        (vault) => vault.attachEmail(anna.customerId, 'one'),
        async (vault) => expect(await vault.customerByEmail('anna', candidate())).toEqual(anna),
      ],
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
        async (vault, at) => {
          expect((await vault.keysOf([carl.customerId])).get(carl.customerId)).toBe('erased')
          for (const name of [at, `${at}-wal`]) expect(readFileSync(name).includes(Buffer.from(carl.key))).toBe(false)
        },
      ],
      [
        'dora',
        (vault) => vault.customerByEmail('dora', candidate()),
        async (vault) => expect(await vault.customersByEmail('dora')).toHaveLength(1),
      ],
    ]
    const crashes = await crashPoints(
      file,
      () => new Map(promises),
      async () => {
        const vault = sqliteVault(file)
        for (const [of, work, then] of steps) {
          // While it is under way, either may be.
          promises.delete(of)
          await work(vault)
          promises.set(of, then)
        }
        await vault.close()
      },
    )
    onTestFinished(() => crashes.remove())
    expect(crashes.points.length).toBeGreaterThan(25)
    for (const { file: copy, noted } of crashes.points) {
      const vault = sqliteVault(copy)
      for (const isKept of noted.values()) await isKept(vault, copy)
      for (const person of ['anna', 'bert', 'emil']) await vault.customerByEmail(person, candidate())
      expect(await vault.customersByEmail('emil')).toHaveLength(1)
      await vault.deleteCustomers([bert.customerId])
      expect((await vault.keysOf([bert.customerId])).get(bert.customerId)).toBe('erased')
      await vault.close()
    }
  })
})

describe('a vault on a full disk', () => {
  it('turns new customers away, serves the known ones, and goes on when there is room', async () => {
    const connections = new Set<DatabaseSync>()
    const stop = aroundEachStatement((database) => database && connections.add(database))
    const vault = sqliteVault(file)
    const anna = await vault.customerByEmail('anna', candidate())
    stop()
    const limit = (pages: number): void => {
      for (const database of connections) database.exec(`PRAGMA max_page_count = ${pages}`)
    }
    limit(1)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => vault.customerByEmail(`person ${index}`.repeat(20), candidate())),
    )
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(VaultAway) as VaultAway })
    expect(await vault.customerByEmail('anna', candidate())).toEqual(anna)
    limit(1_000_000)
    const offered = candidate()
    expect(await vault.customerByEmail('bert', offered)).toEqual(offered)
    await vault.close()
  })
})

import fc from 'fast-check'
import { randomBytes } from 'node:crypto'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { testFolder } from '../../ports/testing/test-folder.ts'
import { sqliteVault } from './sqlite-vault.ts'
import { candidate } from './testing/vault-steps.ts'
import { VaultAway, VaultDamaged } from './vault.ts'
import type { Vault } from './vault.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = testFolder()
  file = path.join(folder, 'vault.db')
})

it('customers who order at the same time share one commit', async () => {
  await withVault(async (vault) => {
    await vault.keysOf([])
    const before = commits()
    const people = Array.from({ length: 40 }, (_, index) => `person-${index}`)
    await Promise.all(people.map((person) => vault.customerByEmail(person, candidate())))
    expect(commits() - before).toBe(1)
  })
})

it('known customers cost no commit', async () => {
  await withVault(async (vault) => {
    const people = ['anna', 'bert', 'carl']
    for (const person of people) await vault.customerByEmail(person, candidate())
    const before = commits()
    await Promise.all(people.map((person) => vault.customerByEmail(person, candidate())))
    expect(commits()).toBe(before)
  })
})

describe('a damaged vault', () => {
  const secret = new Uint8Array(randomBytes(32))
  const hash = { passwordId: 'one', hash: '$argon2id$1' }
  let keys: Map<string, Uint8Array | 'erased'>
  let detached: string[]
  let whole: Buffer

  beforeEach(async () => {
    await withVault(async (vault) => {
      const anna = await vault.customerByEmail('anna', candidate())
      const bert = await vault.customerByEmail('bert', candidate())
      const carl = await vault.customerByEmail('carl', candidate())
      await vault.deleteCustomers([carl.customerId])
      const dora = await vault.customerByEmail('dora', candidate())
      await vault.detachEmail(dora.customerId, { erasureId: 'one', at: 0 })
      await vault.secret('session', secret)
      await vault.setPasswordHash('owner', hash, { replaces: undefined })
      keys = new Map([anna, bert, dora].map(({ customerId, key }) => [customerId, key]))
      keys.set(carl.customerId, 'erased')
      detached = [dora.customerId]
    })
    whole = readFileSync(file)
  })

  it('a vault with any bit flipped gives no wrong key, secret or password', async () => {
    const written = [...whole.keys()].filter((at) => whole[at] !== 0)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...written), fc.integer({ min: 0, max: 7 }), async (at, bit) => {
        await expectRightOrRefused(() => flipBit(at, bit))
      }),
      { numRuns: 150 },
    )
  })

  it('a table that has lost its rows is never read as empty', async () => {
    const pageBytes = 4_096
    for (let page = 0; page < whole.length; page += pageBytes) {
      const header = page === 0 ? 100 : page
      await expectRightOrRefused(() => {
        const bytes = Buffer.from(whole)
        bytes.writeUInt16BE(0, header + 3)
        writeFileSync(file, bytes)
      })
    }
  })

  async function expectRightOrRefused(damage: () => void): Promise<void> {
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name))
    writeFileSync(file, whole)
    damage()
    await withVault(async (vault) => {
      const answers = await Promise.allSettled([
        vault.keysOf([...keys.keys()]),
        vault.secret('session', new Uint8Array(32)),
        vault.passwordHash('owner'),
        vault.detached({ before: 1, limit: 10 }),
      ])
      for (const [index, expected] of [keys, secret, hash, detached].entries()) {
        const answer = answers[index]
        if (answer?.status === 'fulfilled') expect(answer.value).toEqual(expected)
        else expect(answer?.reason).toSatisfy((error) => error instanceof VaultDamaged || error instanceof VaultAway)
      }
    })
  }
})

async function withVault<T>(use: (vault: Vault) => Promise<T>): Promise<T> {
  const vault = sqliteVault(file)
  try {
    return await use(vault)
  } finally {
    await vault.close()
  }
}

/** How many transactions stand in the write-ahead log: the last page of each tells the size of the file. */
function commits(): number {
  const log = readFileSync(`${file}-wal`)
  const pageBytes = log.length === 0 ? 1 : log.readUInt32BE(8)
  let count = 0
  for (let at = 32; at < log.length; at += 24 + pageBytes) if (log.readUInt32BE(at + 4) !== 0) count += 1
  return count
}

function flipBit(at: number, bit = 0): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
  writeFileSync(file, bytes)
}

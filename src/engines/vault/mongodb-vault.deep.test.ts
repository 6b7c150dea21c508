import { randomBytes } from 'node:crypto'
import { type Db, MongoClient } from 'mongodb'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { databaseOfTest } from '../mongodb/testing/databases.ts'
import { type Fate, type WireCommand, wireProxy } from '../mongodb/testing/wire-proxy.ts'
import { describeUnless } from '../../testing/describe-unless.ts'
import { notSet } from '../../ports/testing/missing.ts'
import { mongodbVault } from './mongodb-vault.ts'
import { type Answered, candidate, vaultSteps } from './testing/vault-steps.ts'
import { type Vault, VaultAway, VaultDamaged } from './vault.ts'

const erasure = { erasureId: 'one', at: 1_000 }
const duplicate = { code: 11_000, errmsg: 'E11000 duplicate key error' }

function opened(url: string): Vault {
  const other = mongodbVault({ url, answerMs: 10_000 })
  onTestFinished(() => other.close())
  return other
}

describeUnless(notSet('VAULT_URL'), 'a vault in MongoDB', () => {
  let url: string
  let vault: Vault

  beforeEach(() => {
    url = databaseOfTest(process.env['VAULT_URL'])
    vault = opened(url)
  })

  /** The same vault, of whose commands this decides. */
  async function through(fateOf: (command: WireCommand) => Fate, as: { isReplicaSet?: boolean } = {}): Promise<Vault> {
    const proxy = await wireProxy(url, fateOf, as)
    onTestFinished(() => proxy.close())
    return opened(proxy.url)
  }

  async function rawly<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const client = await MongoClient.connect(url)
    try {
      return await work(client.db())
    } finally {
      await client.close()
    }
  }

  describe('whose documents were changed by another program', () => {
    const changes: [string, object][] = [
      ['lacks its value', { $unset: { value: 1 } }],
      ['has another value', { $set: { value: '{"emailHmac":"anna","key":"AAAA"}' } }],
      ['is called erased', { $set: { value: '"erased"' } }],
      ['lacks its checksum', { $unset: { checksum: 1 } }],
      ['lacks its version', { $unset: { version: 1 } }],
      ['is listed as being erased', { $set: { since: 1 } }],
    ]

    it.for(changes)(
      'a vault whose documents another program changed names a customer who %s, serves the others, and erases that one',
      async ([, change]) => {
        const anna = await vault.customerByEmail('anna', candidate())
        const bert = await vault.customerByEmail('bert', candidate())
        await rawly((db) => db.collection<{ _id: string }>('rows').updateOne({ alias: 'customer:anna' }, change))
        const asked = [
          () => vault.customerByEmail('anna', candidate()),
          () => vault.keysOf([bert.customerId, anna.customerId]),
          () => vault.detachEmail(anna.customerId, erasure),
        ]
        for (const ask of asked) await expect(ask()).rejects.toThrow(`customer "${anna.customerId}" is damaged`)
        expect(await vault.customerByEmail('bert', candidate())).toEqual(bert)
        expect(await vault.keysOf([bert.customerId])).toEqual(new Map([[bert.customerId, bert.key]]))
        await vault.deleteCustomers([anna.customerId])
        expect(await vault.keysOf([anna.customerId])).toEqual(new Map([[anna.customerId, 'erased']]))
      },
    )
  })

  it.for(['rows', 'vault'])('a database of another program stays unchanged: %s', async (collection) => {
    await rawly((db) => db.collection<{ _id: string }>(collection).insertOne({ _id: 'theirs' }))
    const name = new URL(url).pathname.slice(1)
    await expect(vault.customerByEmail('anna', candidate())).rejects.toThrow(
      new VaultDamaged(
        `${name} is not a vault of this shop and was left as it is: set VAULT_URL to the database where this shop has its vault, or to an empty one`,
      ),
    )
    await expect(vault.deleteCustomers(['theirs'])).rejects.toThrow(VaultDamaged)
    expect(await rawly((db) => db.listCollections().toArray())).toHaveLength(1)
  })

  it('a vault opens where another process was faster, or was cut off, before its first document', async () => {
    await rawly((db) => db.createCollection('vault'))
    const secret = new Uint8Array(randomBytes(32))
    expect(await vault.secret('root', secret)).toEqual(secret)
  })

  it('refuses a vault of a newer shop', async () => {
    await vault.secret('root', new Uint8Array(32))
    await rawly((db) => db.collection('vault').updateOne({}, { $set: { format: 3 } }))
    await expect(opened(url).keysOf([])).rejects.toThrow(/was written by another version of the shop/)
  })

  it('is made once by many who open it at the same time', async () => {
    const all = Array.from({ length: 5 }, () => opened(url))
    const answers = await Promise.all(all.map((each) => each.customerByEmail('anna', candidate())))
    expect(answers).toEqual(answers.map(() => answers[0]))
  })

  it('asks again when a row that was in the way is gone', async () => {
    let searches = 0
    const other = await through(({ name }) => {
      if (name !== 'findAndModify') return 'answered'
      searches += 1
      return searches === 1 ? { instead: { ok: 0, ...duplicate } } : 'answered'
    })
    const offered = candidate()
    expect(await other.customerByEmail('anna', offered)).toEqual(offered)
    expect(searches).toBe(2)
  })

  it('reads from a replica set nothing that could be taken back, and who has an e-mail as it is this moment', async () => {
    const reads: WireCommand[] = []
    const searches: unknown[] = []
    const other = await through(
      (command) => {
        if (command.name === 'find' && command.document['find'] === 'rows') reads.push(command)
        if (command.name === 'findAndModify') searches.push(command.document['update'])
        return 'answered'
      },
      { isReplicaSet: true },
    )
    const { customerId } = await other.customerByEmail('anna', candidate())
    expect(await other.customerByEmail('anna', candidate())).toMatchObject({ customerId })
    expect(searches).toEqual([1, 2].map(() => expect.objectContaining({ $inc: { searches: 1 } }) as unknown))
    await other.customersByEmail('anna')
    await other.keysOf([customerId])
    await other.detachEmail(customerId, erasure)
    await other.detached({ before: 2_000, limit: 1 })
    await other.secret('root', new Uint8Array(32))
    await other.passwordHash('owner')
    expect(reads.map(({ document }) => document['readConcern'])).toEqual([
      { level: 'linearizable' },
      ...reads.slice(1).map(() => ({ level: 'majority' })),
    ])
    const filter = { alias: { $gte: 'customer:anna', $lt: 'customer:anna!' } }
    expect(reads[0]?.document).toMatchObject({ filter, maxTimeMS: 10_000 })
    expect(reads.length).toBeGreaterThan(5)
  })

  it(
    'has all that was answered when the connection breaks at any command, and goes on',
    { timeout: 240_000 },
    async () => {
      const steps = vaultSteps()
      let broken = 0
      for (const fate of ['lost', 'answer lost'] as const) {
        for (let at = 1, isOver = false; !isOver; at += 1) {
          const answered: Answered = new Map()
          let sent = 0
          const breaking = await through(({ number }) => {
            sent = number
            return number === at ? fate : 'answered'
          })
          try {
            await steps.play(breaking, answered)
          } catch (error) {
            expect(error).toBeInstanceOf(VaultAway)
            broken += 1
          }
          await breaking.close()
          isOver = sent < at

          const after = opened(url)
          await steps.check(after, answered)
          await after.close()
          await rawly((db) => db.dropDatabase())
        }
      }
      expect(broken).toBeGreaterThan(15)
    },
  )
})

it('a vault that is not there says that it is away, and no customer counts as erased', async () => {
  const vault = mongodbVault({ url: 'mongodb://127.0.0.1:1/vault', waitMs: 100 })
  onTestFinished(() => vault.close())
  await expect(vault.keysOf(['anna'])).rejects.toThrow(VaultAway)
  await expect(vault.customerByEmail('anna', candidate())).rejects.toThrow(VaultAway)
  await expect(vault.deleteCustomers(['anna'])).rejects.toThrow(VaultAway)
  await expect(vault.secret('root', new Uint8Array(32))).rejects.toThrow(/^The vault cannot be used now: /)
})

import type { Collection, Db } from 'mongodb'
import { duplicatesOf, isDuplicateKey, mongodbConnection, OF_VAULT, type SentCommand } from '../mongodb/connection.ts'
import {
  bytesOf,
  type Checked,
  checked,
  type ErasedCustomer,
  intact,
  isErased,
  type KeptCustomer,
  storedBytes,
  type StoredMark,
  type StoredCustomer,
  type StoredPassword,
  type StoredSecret,
} from './mongodb-vault-rows.ts'
import { CustomerIdTaken, checkCandidate, checkCustomerIds, secretMissing } from './vault-input.ts'
import { type Vault, VaultAway, VaultDamaged } from './vault.ts'

interface MongodbVaultOptions {
  /** `mongodb://host/database`; without a database, `coinshopVault`. */
  readonly url: string
  /** Timeout for a server that is away. */
  readonly waitMs?: number
  /** Timeout for an answer. */
  readonly answerMs?: number
  /** Called for each command that is sent. */
  readonly onCommand?: (command: SentCommand) => void
  /** For what only reads: no other database is made a vault. */
  readonly isReadOnly?: boolean
}

const DATABASE = 'coinshopVault'
const FORMAT = 1
/** Attempts when a concurrent change comes in between. */
const ATTEMPTS_MAX = 20
const SECRETS_MAX = 1_000

/**
 * The vault in one database of a MongoDB, or of any server that speaks its protocol, for any number of processes. A write is answered once it is on
 * disk, of the majority if there are replicas, and reads never see writes that could be rolled back.
 *
 * Unlike the SQLite vault it cannot wipe deleted bytes: an erased key may remain in the server's files, journal and oplog until these are
 * overwritten, and in their backups until those are deleted.
 */
export function mongodbVault({
  url,
  waitMs = 5_000,
  answerMs = 10_000,
  onCommand,
  isReadOnly = false,
}: MongodbVaultOptions): Vault {
  const connection = mongodbConnection({
    url,
    database: DATABASE,
    name: 'The vault',
    waitMs,
    answerMs,
    prepare: isReadOnly ? refuseOther : prepare,
    away: (message, cause) => new VaultAway(message, { cause }),
    onCommand,
  })

  const server: Server = {
    ask: (question) => connection.run(async (database) => question(collectionsOf(database))),
    settled: () => (connection.hasReplicas() ? { readConcern: 'majority' } : {}),
    newest: () => (connection.hasReplicas() ? { readConcern: 'linearizable', maxTimeMS: answerMs } : {}),
  }
  return {
    ...customerKeys(server),
    ...erasures(server),
    ...secretsAndMarks(server, { isReadOnly }),
    close: () => connection.close(),
  }
}

/** How the vault's database is asked. */
interface Server {
  readonly ask: <T>(question: (vault: Collections) => Promise<T>) => Promise<T>
  /** Never rolled back. */
  readonly settled: () => { readConcern?: 'majority' }
  /** Sees writes that were just answered to another process, even by a newer primary. */
  readonly newest: () => { readConcern?: 'linearizable'; maxTimeMS?: number }
}

type CustomerKeys = Pick<Vault, 'customerByEmail' | 'keysOf' | 'customersByEmail' | 'deleteCustomers'>
type Erasures = Pick<Vault, 'detachEmail' | 'attachEmail' | 'decideErasure' | 'detached'>
type SecretsAndMarks = Omit<Vault, keyof CustomerKeys | keyof Erasures | 'close'>

function customerKeys({ ask, settled, newest }: Server): CustomerKeys {
  async function attached({ customers }: Collections, emailHmac: string): Promise<Checked<KeptCustomer> | undefined> {
    const row = await customers.findOne({ attachedTo: emailHmac }, newest())
    return row ? keptOrDamaged(row) : undefined
  }

  return {
    async customerByEmail(emailHmac, candidate) {
      checkCandidate(candidate)
      const { customerId, key } = candidate
      const offered = checked({ _id: customerId, emailHmac, attachedTo: emailHmac, key: storedBytes(key) })
      return ask(async (vault) => {
        for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
          const row = await attached(vault, emailHmac)
          if (row) return { customerId: row._id, key: bytesOf(row.key) }
          if (await isNew(vault.customers.insertOne(offered))) return { customerId, key: bytesOf(offered.key) }
          if (await vault.customers.findOne({ _id: customerId, attachedTo: { $ne: emailHmac } }, settled())) {
            throw new CustomerIdTaken(`There is a customer ${customerId} already`)
          }
        }
        throw new VaultAway('Too many change this customer at once')
      })
    },

    async keysOf(customerIds) {
      checkCustomerIds(customerIds)
      const wanted = { _id: { $in: [...new Set(customerIds)] } }
      const rows = await ask(({ customers }) =>
        customers.find(wanted, { ...settled(), batchSize: customerIds.length + 1 }).toArray(),
      )
      return new Map(
        rows
          .map((row) => intact('customer', row))
          .map((row) => [row._id, isErased(row) ? 'erased' : bytesOf(row.key)] as const),
      )
    },

    async customersByEmail(emailHmac) {
      const rows = await ask(({ customers }) => customers.find({ emailHmac }, settled()).toArray())
      return rows.map((row) => intact('customer', row)._id)
    },

    async deleteCustomers(customerIds) {
      checkCustomerIds(customerIds)
      const erased = [...new Set(customerIds)].map((_id) => checked({ _id, isErased: true } as const))
      await ask(async ({ customers }) => {
        for (let left: readonly Checked<ErasedCustomer>[] = erased, attempt = 0; left.length > 0; attempt += 1) {
          if (attempt === ATTEMPTS_MAX) throw new VaultAway('Too many change these customers at once')
          left = await notReplaced(customers, left)
        }
      })
    },
  }
}

function erasures({ ask, settled }: Server): Erasures {
  async function customer({ customers }: Collections, customerId: string): Promise<Checked<KeptCustomer> | undefined> {
    const row = await customers.findOne({ _id: customerId }, settled())
    return row && !isErased(intact('customer', row)) ? keptOrDamaged(row) : undefined
  }

  /** Replaces the row as it was read; after a concurrent change, reads it again. False if `changed` returns undefined. */
  async function change(
    vault: Collections,
    customerId: string,
    changed: (row: KeptCustomer) => KeptCustomer | undefined,
  ): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const row = await customer(vault, customerId)
      if (!row) return false
      const { checksum, ...before } = row
      const after = changed(before)
      if (!after) return false
      const { matchedCount } = await vault.customers.replaceOne({ _id: customerId, checksum }, checked(after))
      if (matchedCount === 1) return true
    }
    throw new VaultAway('Too many change this customer at once')
  }

  return {
    async detachEmail(customerId, { erasureId, at }) {
      return ask((vault) =>
        change(vault, customerId, ({ attachedTo: _former, ...row }) => ({
          ...row,
          erasure: { erasureId, at, isDecided: row.erasure?.isDecided ?? false },
        })),
      )
    },

    async attachEmail(customerId, erasureId) {
      return ask(async (vault) => {
        const attaching = change(vault, customerId, ({ erasure, ...row }) =>
          erasure?.erasureId !== erasureId || erasure.isDecided ? undefined : { ...row, attachedTo: row.emailHmac },
        )
        // An HMAC is attached to one row only: a newer row has it by now.
        return (await isNew(attaching)) && attaching
      })
    },

    async decideErasure(customerId, erasureId) {
      return ask((vault) =>
        change(vault, customerId, ({ erasure, ...row }) =>
          erasure?.erasureId === erasureId ? { ...row, erasure: { ...erasure, isDecided: true } } : undefined,
        ),
      )
    },

    async detached({ before, limit }) {
      const due = { 'erasure.at': { $lt: before } }
      const rows = await ask(({ customers }) =>
        customers.find(due, { ...settled(), sort: { 'erasure.at': 1 }, limit }).toArray(),
      )
      return rows.map((row) => intact('customer', row)._id)
    },
  }
}

function secretsAndMarks({ ask, settled }: Server, { isReadOnly }: { isReadOnly: boolean }): SecretsAndMarks {
  return {
    async secret(name, candidate) {
      const offered = checked({ _id: name, value: storedBytes(candidate) })
      return ask(async ({ secrets }) => {
        for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
          // Read all: if a secret's name were damaged, a lookup would miss it and another secret would replace it.
          const rows = await secrets.find({}, { ...settled(), limit: SECRETS_MAX }).toArray()
          const row = rows.map((row) => intact('secret', row)).find(({ _id }) => _id === name)
          if (row) return bytesOf(row.value)
          if (isReadOnly) throw secretMissing(name)
          if (await isNew(secrets.insertOne(offered))) return bytesOf(offered.value)
        }
        throw new VaultAway('This secret is being made by somebody else')
      })
    },

    async passwordHash(adminId) {
      const row = await ask(({ passwords }) => passwords.findOne({ _id: adminId }, settled()))
      if (!row) return undefined
      const { passwordId, hash } = intact('password of', row)
      return { passwordId, hash }
    },

    async setPasswordHash(adminId, { passwordId, hash }, { replaces }) {
      const row = checked({ _id: adminId, passwordId, hash })
      return ask(async ({ passwords }) => {
        if (replaces === undefined) return isNew(passwords.insertOne(row))
        const standing = await passwords.findOne({ _id: adminId, passwordId: replaces }, settled())
        if (!standing) return false
        const { checksum } = intact('password of', standing)
        return (await passwords.replaceOne({ _id: adminId, checksum }, row)).matchedCount === 1
      })
    },

    async readMark(name) {
      const row = await ask(({ marks }) => marks.findOne({ _id: name }, settled()))
      return row ? intact('mark', row).value : undefined
    },

    async raiseMark(name, value) {
      const row = checked({ _id: name, value })
      await ask(async ({ marks }) => {
        const raised = async (upsert: boolean) =>
          marks.replaceOne({ _id: name, value: { $lt: value } }, row, { upsert })
        // Of a duplicate key: the mark is as high already, or another process has just made it.
        if (!(await isNew(raised(true)))) await raised(false)
      })
    },

    async setMark(name, value) {
      const row = checked({ _id: name, value })
      await ask(({ marks }) => marks.replaceOne({ _id: name }, row, { upsert: true }))
    },
  }
}

interface Collections {
  readonly customers: Collection<StoredCustomer>
  readonly secrets: Collection<Checked<StoredSecret>>
  readonly passwords: Collection<Checked<StoredPassword>>
  readonly marks: Collection<Checked<StoredMark>>
}

function collectionsOf(database: Db): Collections {
  return {
    customers: database.collection('customers'),
    secrets: database.collection('secrets'),
    passwords: database.collection('passwords'),
    marks: database.collection('marks'),
  }
}

/** The first write marks the database as a vault, so that no other database is ever used as one. */
async function prepare(database: Db): Promise<void> {
  const formats = formatsIn(database)
  const known = async () => formats.findOne({ _id: 'format' })
  const wayOut = 'was left as it is: set VAULT_URL to the database where this shop has its vault, or to an empty one'
  if (!(await known())) {
    const collections = await database.listCollections({}, { nameOnly: true }).toArray()
    // Servers make a collection before its first document.
    const isEmpty = collections.every(({ name }) => name === OF_VAULT) && !(await formats.findOne())
    // A concurrent process may have created it.
    if (!isEmpty && !(await known()))
      throw new VaultDamaged(`${database.databaseName} is not a vault of this shop and ${wayOut}`)
    await isNew(formats.insertOne({ _id: 'format', format: FORMAT }))
  }
  await refuseOther(database)
  await database.collection('customers').createIndexes([
    { name: 'attached', key: { attachedTo: 1 }, unique: true, sparse: true },
    { name: 'email', key: { emailHmac: 1 }, sparse: true },
    { name: 'erasing', key: { 'erasure.at': 1 }, sparse: true },
  ])
}

async function refuseOther(database: Db): Promise<void> {
  const known = await formatsIn(database).findOne({ _id: 'format' })
  if (!known)
    throw new VaultDamaged(
      `${database.databaseName} holds no vault: set VAULT_URL to the database where this shop has it`,
    )
  if (known.format !== FORMAT)
    throw new VaultDamaged(`${database.databaseName} was written by a newer version of the shop: start that version`)
}

function formatsIn(database: Db): Collection<{ _id: string; format: number }> {
  return database.collection(OF_VAULT)
}

function keptOrDamaged(row: StoredCustomer): Checked<KeptCustomer> {
  const whole = intact('customer', row)
  if (isErased(whole))
    throw new VaultDamaged(`The vault's customer ${JSON.stringify(row._id)} is erased, but has an e-mail`)
  return whole
}

/** False if this key exists already. */
async function isNew(insertion: Promise<unknown>): Promise<boolean> {
  try {
    await insertion
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/** Of two concurrent inserts, the loser gets a duplicate key and replaces the row in its next attempt. */
async function notReplaced(
  rows: Collection<StoredCustomer>,
  wanted: readonly Checked<ErasedCustomer>[],
): Promise<Checked<ErasedCustomer>[]> {
  try {
    const operations = wanted.map((row) => ({
      replaceOne: { filter: { _id: row._id }, replacement: row, upsert: true },
    }))
    await rows.bulkWrite(operations, { ordered: false })
    return []
  } catch (error) {
    const met = duplicatesOf(error)
    if (!met) throw error
    return met.flatMap((at) => wanted[at] ?? [])
  }
}

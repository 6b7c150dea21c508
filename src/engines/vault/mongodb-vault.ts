import type { Collection, Db } from 'mongodb'
import { isDuplicateKey, mongodbConnection, VAULT_COLLECTION } from '../mongodb/connection.ts'
import { type Vault, VaultAway, VaultDamaged } from './vault.ts'
import { aliasesOf, type VaultRow, type VaultRows } from './vault-rows.ts'
import { vaultOver } from './vault-rules.ts'

interface MongodbVaultOptions {
  /** `mongodb://host/database`; the default database is `coinshopVault`. */
  readonly url: string
  /** Timeout for reaching the server. */
  readonly waitMs?: number
  /** Timeout for an answer. */
  readonly answerMs?: number
  /** For readers: creates no vault. */
  readonly isReadOnly?: boolean
}

const DATABASE = 'coinshopVault'
const FORMAT = 2

/** A row without undefined fields. `_id` and `alias` start with its kind. */
interface Stored extends Partial<Omit<VaultRow, 'alias'>> {
  readonly _id: string
  readonly alias?: string
  readonly searches?: number
}

/**
 * The vault in a database of MongoDB, or of any server with its protocol, for any number of processes. A write is acknowledged once it is on
 * disk (of a majority, if there are replicas); reads return no write that could be rolled back.
 *
 * Unlike the SQLite vault it cannot wipe deleted bytes: an erased key may remain in the server's files, journal and oplog until overwritten,
 * and in backups until they are deleted.
 */
export function mongodbVault(options: MongodbVaultOptions): Vault {
  return vaultOver(mongodbVaultRows(options), options)
}

export function mongodbVaultRows({
  url,
  waitMs = 5_000,
  answerMs = 10_000,
  isReadOnly = false,
}: MongodbVaultOptions): VaultRows {
  const connection = mongodbConnection({
    url,
    database: DATABASE,
    name: 'The vault',
    waitMs,
    answerMs,
    prepare: isReadOnly ? refuseOther : prepare,
    away: (message, cause) => new VaultAway(message, { cause }),
  })
  const ask = async <T>(question: (rows: Collection<Stored>) => Promise<T>): Promise<T> =>
    connection.run(async (database) => question(rowsIn(database)))
  /** Undefined if another row has the id or the alias. */
  const change = async <T>(work: (rows: Collection<Stored>) => Promise<T>): Promise<T | undefined> => {
    if (isReadOnly) throw new VaultAway('This vault is only read')
    return ask(work).catch((error: unknown) => {
      if (isDuplicateKey(error)) return undefined
      throw error
    })
  }
  /** Reads no write that could be rolled back. */
  const settled = () => (connection.hasReplicas() ? ({ readConcern: 'majority' } as const) : {})
  /** Reads every acknowledged write, even one of a newer primary. */
  const newest = () => (connection.hasReplicas() ? ({ readConcern: 'linearizable', maxTimeMS: answerMs } as const) : {})

  return {
    async read(kind, ids) {
      const wanted = { _id: { $in: ids.map((id) => `${kind}:${id}`) } }
      const page = { ...settled(), batchSize: ids.length + 1 }
      return (await ask((rows) => rows.find(wanted, page).toArray())).map(rowOf)
    },
    async byAlias(kind, word) {
      const [from, to] = aliasesOf(word)
      const wanted = { alias: { $gte: `${kind}:${from}`, $lt: `${kind}:${to}` } }
      return (await ask((rows) => rows.find(wanted, newest()).toArray())).map(rowOf)
    },
    async since(kind, { before, limit }) {
      const page = { ...settled(), sort: { since: 1 }, limit } as const
      return (await ask((rows) => rows.find({ kind, since: { $lt: before } }, page).toArray())).map(rowOf)
    },
    async write(row, was) {
      const stored = storedOf(row)
      const isWritten = await change(async (rows) => {
        if (was === 'absent') return (await rows.insertOne(stored)).acknowledged
        return (await rows.replaceOne({ _id: stored._id, version: was }, stored)).matchedCount === 1
      })
      return isWritten ?? false
    },
    async delete(kind, id, version) {
      const deleted = await change(async (rows) => rows.deleteOne({ _id: `${kind}:${id}`, version }))
      return deleted?.deletedCount === 1
    },
    async findOrInsert(row) {
      const { alias = '', ...content } = storedOf(row)
      const found = await change(async (rows) => {
        // Only a real change makes the server ask the majority: a primary that has been replaced could still find an old row.
        const changes = { $setOnInsert: content, ...(connection.hasReplicas() && { $inc: { searches: 1 } }) }
        return rows.findOneAndUpdate({ alias }, changes, { upsert: true, returnDocument: 'after' })
      })
      return found ? rowOf(found) : undefined
    },
    wipe: async () => undefined,
    close: () => connection.close(),
  }
}

function storedOf({ id, alias, since, ...content }: VaultRow): Stored {
  return {
    ...content,
    _id: `${content.kind}:${id}`,
    ...(alias !== undefined && { alias: `${content.kind}:${alias}` }),
    ...(since !== undefined && { since }),
  }
}

/** Not validated: the checksum finds changes by other programs. */
function rowOf({ _id, alias, since, value, version, checksum }: Stored): VaultRow {
  const [, kind = '', id = ''] = /^([^:]*):(.*)$/s.exec(_id) ?? []
  return { kind, id, alias: alias?.slice(kind.length + 1), since, value, version, checksum } as VaultRow
}

function rowsIn(database: Db): Collection<Stored> {
  return database.collection('rows')
}

/** The first write marks an empty database as a vault, so that no other database is used as one. */
async function prepare(database: Db): Promise<void> {
  const formats = formatsIn(database)
  const known = async () => formats.findOne({ _id: 'format' })
  const wayOut = 'was left as it is: set VAULT_URL to the database where this shop has its vault, or to an empty one'
  if (!(await known())) {
    const collections = await database.listCollections({}, { nameOnly: true }).toArray()
    // A server creates a collection before its first document.
    const isEmpty = collections.every(({ name }) => name === VAULT_COLLECTION) && !(await formats.findOne())
    // Another process may have marked it since.
    if (!isEmpty && !(await known()))
      throw new VaultDamaged(`${database.databaseName} is not a vault of this shop and ${wayOut}`)
    await formats.insertOne({ _id: 'format', format: FORMAT }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error
    })
  }
  await refuseOther(database)
  await rowsIn(database).createIndexes([
    { name: 'alias', key: { alias: 1 }, unique: true, sparse: true },
    { name: 'since', key: { since: 1 }, sparse: true },
  ])
}

async function refuseOther(database: Db): Promise<void> {
  const known = await formatsIn(database).findOne({ _id: 'format' })
  if (!known)
    throw new VaultDamaged(
      `${database.databaseName} holds no vault: set VAULT_URL to the database where this shop has it`,
    )
  if (known.format !== FORMAT)
    throw new VaultDamaged(`${database.databaseName} was written by another version of the shop: start that version`)
}

function formatsIn(database: Db): Collection<{ _id: string; format: number }> {
  return database.collection(VAULT_COLLECTION)
}

import { type Db, type Document, MongoBulkWriteError, MongoServerError } from 'mongodb'
import {
  duplicatesOf,
  isDuplicateKey,
  type MongodbConnection,
  mongodbConnection,
  VAULT_COLLECTION,
} from '../mongodb/connection.ts'
import {
  countPipeline,
  findPipeline,
  foundRow,
  indexesOf,
  isBroken,
  type StoredDocument,
  storedFields,
} from './mongodb-view-query.ts'
import { BROKEN_MAX, bodyText, checkCollection, checkDocument, checkedCount, checkedQuery, checkIds } from './query.ts'
import {
  type Collection,
  type PageFold,
  SetGone,
  type SharedTexts,
  type Source,
  type ViewDocument,
  type ViewStore,
  ViewStoreAway,
} from './view-store.ts'

export interface MongodbViewStoreOptions {
  /** `mongodb://host/database`; the default database is `coinshopViews`. */
  readonly url: string
  /** Timeout for reaching the server. */
  readonly waitMs?: number
  /** Timeout for an answer, except when creating indexes. */
  readonly answerMs?: number
}

/** The database is damaged or holds a vault. The one-line message says what to do. */
export class ViewDatabaseUnusable extends Error {
  override readonly name = 'ViewDatabaseUnusable'
}

/** The main marker of a set. */
interface StoredSet {
  readonly _id: string
  readonly shape: string
  readonly logId: string
  readonly beginHead: string
  readonly checkpoint: string
  readonly collections: readonly string[]
}

interface Text {
  readonly _id: string
  readonly value: string
}

const DATABASE = 'coinshopViews'
const SETS = 'sets'
const TEXTS = 'texts'
/** A document in each collection of a set: without it, a dropped one would read as empty. No view document has this id. */
const MARKER = '#set'
/** All results fit in one round trip. */
const BATCH_SIZE = 10_001
/** Small enough for a slow server to answer in time. */
const BULK_WRITE_MAX = 1_000
const INDEXING_MS_MAX = 3_600_000
/** MongoDB's limit is 16 MiB; the rest is for the other fields. */
const DOCUMENT_BYTES_MAX = 15 * 1024 * 1024
const NAMESPACE_NOT_FOUND = 26

/**
 * Views in a database of MongoDB, or of any server with its protocol that replaces whole documents and keeps ids unique. Any number of processes may
 * share it, and it may be wiped. A write is acknowledged once journaled (by a majority, if there are replicas), even if a higher position rejects it, since a
 * failover may lose that position. Reads go to the primary. Dropped or overwritten bytes may stay in the server's files for a while.
 */
export function mongodbViewStore({ url, waitMs = 5_000, answerMs = 20_000 }: MongodbViewStoreOptions): ViewStore {
  const connection = mongodbConnection({
    url,
    database: DATABASE,
    name: 'The view database',
    waitMs,
    answerMs,
    prepare: refuseVault,
    away: (message, cause) => new ViewStoreAway(message, { cause }),
  })
  return viewStoreOver(connection)
}

// oxlint-disable-next-line max-lines-per-function -- the port's short methods over one connection
export function viewStoreOver(connection: MongodbConnection): ViewStore {
  const run: MongodbConnection['run'] = async (question) => connection.run(question)

  /** Reads, then checks that the collection still exists. */
  async function readFrom<T>(
    { set, collection, onRead }: Source,
    ask: (database: Db, name: string) => Promise<T>,
  ): Promise<T> {
    return run(async (database) => {
      const answer = await ask(database, nameOf(set, collection))
      const [state, isWhole] = await Promise.all([
        setsIn(database).findOne({ _id: set }),
        hasMarker(database, nameOf(set, collection)),
      ])
      if (!state || !isWhole) throw new SetGone(set)
      onRead?.(state.checkpoint)
      return answer
    })
  }

  return {
    texts: textsIn(connection),

    async create(set, origin, collections) {
      collections.forEach(checkCollection)
      await run(async (database) => {
        for (const collection of collections)
          await database.collection<StoredDocument>(nameOf(set, collection)).insertOne({ _id: MARKER, position: set })
        const names = collections.map(({ name }) => name)
        await setsIn(database).insertOne({ _id: set, ...origin, checkpoint: '', collections: names })
      })
    },

    async stateOf(set) {
      return run(async (database) => {
        const state = await setsIn(database).findOne({ _id: set })
        if (!state) return undefined
        const { collections, shape, logId, beginHead, checkpoint } = state
        for (const name of collections) if (!(await hasMarker(database, nameOf(set, { name })))) return undefined
        return { shape, logId, beginHead, checkpoint }
      })
    },

    async index(set, collections) {
      const options = {
        timeoutMS: INDEXING_MS_MAX,
        // Do not wait for a replica that is away.
        ...(connection.hasReplicas() && { commitQuorum: 'majority' }),
      }
      for (const collection of collections)
        await run((database) =>
          database.collection(nameOf(set, collection)).createIndexes(indexesOf(collection), options),
        )
    },

    async fold(set, { after, to, parts }) {
      for (const part of parts) await foldPart(connection, set, { after, part })
      return run(async (database) => {
        const { matchedCount } = await setsIn(database).updateOne(
          { _id: set, checkpoint: after },
          { $set: { checkpoint: to } },
        )
        if (matchedCount > 0) return to
        const state = await setsIn(database).findOne({ _id: set })
        if (!state) throw new SetGone(set)
        return state.checkpoint
      })
    },

    async drop(set) {
      await run(async (database) => {
        await setsIn(database).deleteOne({ _id: set })
        for (const name of await namesIn(database)) if (setOf(name) === set) await drop(database, name)
      })
    },

    async found() {
      return run(async (database) => {
        const [names, sets] = [
          await namesIn(database),
          await setsIn(database)
            .find({}, { projection: { _id: 1 } })
            .toArray(),
        ]
        return [...new Set([...names.flatMap((name) => setOf(name) ?? []), ...sets.map(({ _id }) => _id)])]
      })
    },

    // Not possible: a server may keep deleted bytes.
    async wipe() {},

    async bytes(set) {
      // Not every server reports its sizes.
      const sizes = await run(async (database) => {
        const names = (await namesIn(database)).filter((name) => setOf(name) === set)
        return Promise.all(names.map(async (name) => database.command({ collStats: name })))
      }).catch(() => [undefined])
      const bytes = sizes.reduce(
        (sum, stats) => sum + Number(stats?.['storageSize']) + Number(stats?.['totalIndexSize']),
        0,
      )
      return Number.isFinite(bytes) ? bytes : undefined
    },

    async load(source, ids) {
      checkIds(ids)
      return readFrom(source, async (database, name) => load(database, name, ids))
    },

    async find(source, query, page) {
      const { collection } = source
      const checked = checkedQuery(collection, query, page)
      return readFrom(source, async (database, name) => {
        const found = await aggregate<StoredDocument>(database, name, findPipeline(collection, checked))
        return found.map((document) => foundRow(document, checked))
      })
    },

    async count(source, query, limit) {
      const pipeline = countPipeline(source.collection, checkedCount(source.collection, query, limit))
      return readFrom(source, async (database, name) => {
        const [counted] = await aggregate<{ count: number }>(database, name, pipeline)
        return counted?.count ?? 0
      })
    },

    async broken(source) {
      return readFrom(source, async (database, name) => {
        const found = database
          .collection<StoredDocument>(name)
          .find(isBroken, { projection: { broken: 1 }, limit: BROKEN_MAX })
        const documents = await found.sort({ _id: 1 }).toArray()
        return documents.flatMap(({ _id: id, broken }) => (broken ? [{ id, ...broken }] : []))
      })
    },

    close: () => connection.close(),
  }
}

async function aggregate<T extends object>(database: Db, name: string, pipeline: Document[]): Promise<T[]> {
  return database.collection<StoredDocument>(name).aggregate<T>(pipeline, { batchSize: BATCH_SIZE }).toArray()
}

function nameOf(set: string, { name }: Pick<Collection, 'name'>): string {
  return `${set}_${name}`
}

/** Undefined if the collection belongs to no set. */
function setOf(collection: string): string | undefined {
  return /^([0-9a-f]+)_[a-z]+$/.exec(collection)?.[1]
}

function setsIn(database: Db) {
  return database.collection<StoredSet>(SETS)
}

async function namesIn(database: Db): Promise<string[]> {
  return (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
}

async function hasMarker(database: Db, name: string): Promise<boolean> {
  return (await database.collection<StoredDocument>(name).findOne({ _id: MARKER })) !== null
}

async function load(database: Db, name: string, ids: readonly string[]): Promise<Map<string, ViewDocument>> {
  const wanted = [...new Set(ids)].filter((id) => id.isWellFormed())
  const options = { projection: { fields: 0 }, batchSize: BATCH_SIZE } as const
  const found = await database
    .collection<StoredDocument>(name)
    .find({ _id: { $in: wanted } }, options)
    .toArray()
  return new Map(found.map(documentOf).map((document) => [document.id, document]))
}

async function foldPart(
  connection: MongodbConnection,
  set: string,
  { after, part: { collection, ids, fold } }: { after: string; part: PageFold['parts'][number] },
): Promise<void> {
  const name = nameOf(set, collection)
  await connection.run(async (database) => {
    const documents = await load(database, name, [MARKER, ...ids])
    if (!documents.delete(MARKER)) throw new SetGone(set)
    const stored = fold(documents, after).map((document) => storable(collection, document))
    for (let from = 0; from < stored.length; from += BULK_WRITE_MAX)
      await write(database, name, stored.slice(from, from + BULK_WRITE_MAX))
  })
}

/** A stored document with a higher position rejects the write as a duplicate, and stays. */
async function write(database: Db, name: string, stored: readonly StoredDocument[]): Promise<void> {
  const operations = stored.map(({ _id, ...replacement }) => ({
    replaceOne: { filter: { _id, position: { $lte: replacement.position } }, replacement, upsert: true },
  }))
  try {
    await database.collection<StoredDocument>(name).bulkWrite(operations, { ordered: false })
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError) || duplicatesOf(error) === undefined) throw error
  }
}

function textsIn(connection: MongodbConnection): SharedTexts {
  return {
    read: async (name) =>
      connection.run(async (database) => (await database.collection<Text>(TEXTS).findOne({ _id: name }))?.value),
    replace: async (name, { from, to }) =>
      connection.run(async (database) => {
        const texts = database.collection<Text>(TEXTS)
        if (from !== undefined)
          return (await texts.updateOne({ _id: name, value: from }, { $set: { value: to } })).matchedCount > 0
        try {
          await texts.insertOne({ _id: name, value: to })
          return true
        } catch (error) {
          if (isDuplicateKey(error)) return false
          throw error
        }
      }),
  }
}

/** Wiping such a database would delete every customer's key. */
async function refuseVault(database: Db): Promise<void> {
  if (!(await namesIn(database)).includes(VAULT_COLLECTION)) return
  throw new ViewDatabaseUnusable(
    `${database.databaseName} holds a vault, which must never be wiped, and views may be: set MONGODB_URL to a database of its own`,
  )
}

function storable(collection: Collection, document: ViewDocument): StoredDocument {
  checkDocument(document)
  const { id, position, broken } = document
  const body = bodyText(document)
  if (body !== undefined && Buffer.byteLength(body) > DOCUMENT_BYTES_MAX) {
    throw new RangeError(`${id} of ${collection.name} is larger than ${DOCUMENT_BYTES_MAX} bytes`)
  }
  return {
    _id: id,
    position,
    ...(body !== undefined && { fields: storedFields(collection, document), body }),
    ...(broken && { broken: { position: broken.position, reason: broken.reason } }),
  }
}

function documentOf({ _id, position, body, broken }: StoredDocument): ViewDocument {
  try {
    if (typeof position !== 'string') throw new TypeError('It has no position')
    return {
      id: _id,
      position,
      body: body === undefined ? undefined : (JSON.parse(body) as unknown),
      ...(broken && { broken }),
    }
  } catch (error) {
    throw new ViewDatabaseUnusable(
      `The view database is damaged at ${JSON.stringify(_id)}: drop it (never the vault's), views are built again from the log`,
      { cause: error },
    )
  }
}

/** Another process may have dropped the collection first. */
async function drop(database: Db, name: string): Promise<void> {
  try {
    await database.dropCollection(name)
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== NAMESPACE_NOT_FOUND) throw error
  }
}

import { type Collection as Collected, type Db, type Document, MongoBulkWriteError, MongoServerError } from 'mongodb'
import {
  duplicatesOf,
  isDuplicateKey,
  type MongodbConnection,
  mongodbConnection,
  OF_VAULT,
  type SentCommand,
} from '../mongodb/connection.ts'
import {
  BROKEN_MAX,
  bodyText,
  checkCollection,
  checkDocument,
  checkedQuery,
  checkIds,
  compareText,
  checkedCount,
  fieldsText,
  isCollectionName,
} from './query.ts'
import {
  countPipeline,
  findPipeline,
  foundRow,
  indexesOf,
  isBroken,
  type StoredDocument,
  stopPipeline,
  storedFields,
} from './mongodb-view-query.ts'
import {
  type Collection,
  type Marks,
  type ViewDocument,
  type ViewStore,
  ViewStoreAway,
  type Write,
  WriteConflict,
} from './view-store.ts'

export interface MongodbViewStoreOptions {
  /** `mongodb://host/database`; without a database, `coinshopViews`. */
  readonly url: string
  /** Timeout for a server that is away. */
  readonly waitMs?: number
  /** Timeout for an answer, except for indexes over many documents. */
  readonly answerMs?: number
  /** Called for each command that is sent. */
  readonly onCommand?: (command: SentCommand) => void
  /** For what only reads: no collection is made. */
  readonly isReadOnly?: boolean
}

/** It is not for views alone. The message is one line and says what to do. */
export class ViewDatabaseUnusable extends Error {
  override readonly name = 'ViewDatabaseUnusable'
}

interface Mark {
  readonly _id: string
  readonly value: string
}

/** Registry: added before a collection is created, removed after its drop, so that an interrupted drop is repeated. */
interface Listed {
  readonly _id: string
  readonly fields: string
}

const DATABASE = 'coinshopViews'
const MARKS = 'marks'
const LISTED = 'collections'
/** All that is found comes in one round trip. */
const BATCH_SIZE = 10_001
/** A slow server needs its time for each bulk. */
const WRITTEN_AT_ONCE = 1_000
const INDEXING_MS_MAX = 3_600_000
/** MongoDB's own bound is 16 MiB; the rest is room for what is put around it. */
const DOCUMENT_BYTES_MAX = 15 * 1024 * 1024
const NAMESPACE_NOT_FOUND = 26

/**
 * Views in one database of a MongoDB, or of any server that speaks its protocol: nothing but whole documents and unique ids is asked of it. Any number of
 * processes may share it, and it may be wiped. Acknowledged when journaled, by the majority where there are replicas, and read from the primary.
 * What is dropped or written over may stay readable in the server's files for a while.
 */
// oxlint-disable-next-line max-lines-per-function -- the port's short methods over one connection
export function mongodbViewStore({
  url,
  waitMs = 5_000,
  answerMs = 20_000,
  onCommand,
  isReadOnly,
}: MongodbViewStoreOptions): ViewStore {
  const connection = mongodbConnection({
    url,
    database: DATABASE,
    name: 'The view database',
    waitMs,
    answerMs,
    prepare: refuseVault,
    away: (message, cause) => new ViewStoreAway(message, { cause }),
    onCommand,
  })
  const opened = new Set<string>()

  function refuseUnopened({ name }: Collection): void {
    if (!opened.has(name)) throw new TypeError(`${name} is not open`)
  }

  const lists = collectionLists(connection)
  const marks = marksIn(connection)

  function documents<T>(collection: Collection, query: (documents: Documents) => Promise<T>): Promise<T> {
    refuseUnopened(collection)
    return documentsIn(connection, collection, query)
  }

  function aggregated<T extends object>(collection: Collection, pipeline: Document[]): Promise<T[]> {
    return documents(collection, (all) => all.aggregate<T>(pipeline, { batchSize: BATCH_SIZE }).toArray())
  }

  return {
    async open(collection) {
      checkCollection(collection)
      const { name } = collection
      if (isReadOnly) {
        opened.add(name)
        return
      }
      const fields = fieldsText(collection)
      if ((await lists.fieldsOf({ name, fields })) !== fields) {
        throw new TypeError(`${name} has other fields: give it a new version`)
      }
      await documentsIn(connection, collection, (all) =>
        all.createIndexes(indexesOf(collection), {
          timeoutMS: INDEXING_MS_MAX,
          // A replica that is away is not waited for.
          ...(connection.hasReplicas() && { commitQuorum: 'majority' }),
        }),
      )
      opened.add(name)
    },

    async load(collection, ids) {
      refuseUnopened(collection)
      checkIds(ids)
      const wanted = [...new Set(ids)].filter((id) => id.isWellFormed())
      if (wanted.length === 0) return new Map()
      const found = await documents(collection, (all) =>
        all.find({ _id: { $in: wanted } }, { projection: { fields: 0 }, batchSize: BATCH_SIZE }).toArray(),
      )
      return new Map(found.map(documentOf).map((document) => [document.id, document]))
    },

    async write(writes) {
      for (const { collection } of writes) refuseUnopened(collection)
      const stored = writes.map((write) => ({
        ...write,
        documents: write.documents.map((document) => storable(write.collection, document)),
      }))
      for (const { collection, documents: own, mark } of stored) {
        for (let from = 0; from < own.length; from += WRITTEN_AT_ONCE) {
          await writeDocuments(connection, collection, own.slice(from, from + WRITTEN_AT_ONCE))
        }
        if (mark) await moveMark(connection, mark)
      }
    },

    async find(collection, query, page) {
      const checked = checkedQuery(collection, query, page)
      const found = await aggregated<StoredDocument>(collection, findPipeline(collection, checked))
      const rows = found.map((document) => foundRow(document, checked))
      if (!checked.isIndexOrdered || checked.filter.length === 0 || rows.length === checked.limit) {
        return { rows, scannedTo: undefined }
      }
      const [stopped] = await aggregated<StoredDocument>(collection, stopPipeline(collection, checked))
      return { rows, scannedTo: stopped && foundRow(stopped, checked) }
    },

    async count(collection, query, limit) {
      const pipeline = countPipeline(collection, checkedCount(collection, query, limit))
      const [counted] = await aggregated<{ count: number }>(collection, pipeline)
      return counted?.count ?? 0
    },

    countBroken: async (collection) =>
      documents(collection, (all) => all.countDocuments(isBroken, { limit: BROKEN_MAX })),

    async bytes({ name }) {
      // Not every server of this protocol tells.
      const stats = await connection.run((database) => database.command({ collStats: name })).catch(() => undefined)
      const bytes = Number(stats?.['storageSize']) + Number(stats?.['totalIndexSize'])
      return Number.isFinite(bytes) ? bytes : undefined
    },

    marks: () => marks,

    collections: async () => (await lists.names()).map((name) => ({ name })),

    async drop({ name }) {
      opened.delete(name)
      await lists.drop(name)
    },

    // A server may keep dropped and overwritten bytes.
    async wipe() {},

    close: () => connection.close(),
  }
}

type Documents = Collected<StoredDocument>

function documentsIn<T>(
  connection: MongodbConnection,
  { name }: Collection,
  query: (documents: Documents) => Promise<T>,
): Promise<T> {
  return connection.run((database) => query(database.collection<StoredDocument>(name)))
}

/** The collections that were opened, and those that stand in the database. */
function collectionLists(connection: MongodbConnection) {
  function listed<T>(query: (listed: Collected<Listed>) => Promise<T>): Promise<T> {
    return connection.run((database) => query(database.collection<Listed>(LISTED)))
  }

  /** Another process may be opening it at the same time. */
  async function fieldsOf({ name, fields }: { name: string; fields: string }): Promise<string> {
    const known = await listed((all) => all.findOne({ _id: name }))
    if (known) return known.fields
    try {
      await listed((all) => all.insertOne({ _id: name, fields }))
      return fields
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
    return (await listed((all) => all.findOne({ _id: name })))?.fields ?? fields
  }

  async function standing(): Promise<string[]> {
    const found = await connection.run((database) => database.listCollections({}, { nameOnly: true }).toArray())
    // Another process's late write may recreate a dropped one.
    return found.map(({ name }) => name).filter((name) => isCollectionName(name))
  }

  async function names(): Promise<string[]> {
    const named = await listed((all) => all.find({}, { projection: { _id: 1 } }).toArray())
    return [...new Set([...named.map(({ _id }) => _id), ...(await standing())])].sort(compareText)
  }

  return {
    fieldsOf,
    names,
    async drop(name: string): Promise<void> {
      if (!(await names()).includes(name)) return
      if ((await standing()).includes(name)) await connection.run((database) => dropped(database.dropCollection(name)))
      await listed((all) => all.deleteOne({ _id: name }))
    },
  }
}

function marksIn(connection: MongodbConnection): Marks {
  function marks<T>(query: (marks: Collected<Mark>) => Promise<T>): Promise<T> {
    return connection.run((database) => query(database.collection<Mark>(MARKS)))
  }

  return {
    read: async (name) => (await marks((all) => all.findOne({ _id: name })))?.value,
    async raise(name, value) {
      const lower = { _id: name, value: { $lt: value } }
      await repeatedOnDuplicate((options) => marks((all) => all.updateOne(lower, { $set: { value } }, options)))
    },
    async set(name, value) {
      await repeatedOnDuplicate((options) => marks((all) => all.updateOne({ _id: name }, { $set: { value } }, options)))
    },
    replace: (name, { from, to }) => marks(async (all) => isMoved(all, { name, from, value: to })),
  }
}

async function isMoved(marks: Collected<Mark>, { name, from, value }: { name: string; from: string; value: string }) {
  const { matchedCount } = await marks.updateOne({ _id: name, value: from }, { $set: { value } })
  return matchedCount > 0
}

async function writeDocuments(
  connection: MongodbConnection,
  collection: Collection,
  given: readonly Written[],
): Promise<void> {
  const operations = given.map(({ over, stored }) => {
    if (over === undefined) return { insertOne: { document: stored } }
    const { _id, ...replacement } = stored
    return { replaceOne: { filter: { _id, position: over }, replacement } }
  })
  await refusedOnDuplicate(async () => {
    const written = await documentsIn(connection, collection, (all) => all.bulkWrite(operations, { ordered: false }))
    if (written.insertedCount + written.matchedCount < given.length) throw new WriteConflict()
  })
}

async function moveMark(connection: MongodbConnection, { name, from, value }: NonNullable<Write['mark']>) {
  await refusedOnDuplicate(() =>
    connection.run(async (database) => {
      const marks = database.collection<Mark>(MARKS)
      if (from === undefined) return void (await marks.insertOne({ _id: name, value }))
      if (!(await isMoved(marks, { name, from, value }))) throw new WriteConflict()
    }),
  )
}

async function refusedOnDuplicate(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    const isThere = error instanceof MongoBulkWriteError ? duplicatesOf(error) !== undefined : isDuplicateKey(error)
    throw isThere ? new WriteConflict() : error
  }
}

/** To wipe the views there would wipe every customer's key. */
async function refuseVault(database: Db): Promise<void> {
  const found = await database.listCollections({}, { nameOnly: true }).toArray()
  if (!found.some(({ name }) => name === OF_VAULT)) return
  throw new ViewDatabaseUnusable(
    `${database.databaseName} holds a vault, which must never be wiped, and views may be: set MONGODB_URL to a database of its own`,
  )
}

interface Written {
  readonly over: string | undefined
  readonly stored: StoredDocument
}

function storable(collection: Collection, document: ViewDocument): Written {
  checkDocument(document)
  const { id, position, over, broken } = document
  const body = bodyText(document)
  if (body !== undefined && Buffer.byteLength(body) > DOCUMENT_BYTES_MAX) {
    throw new RangeError(`${id} of ${collection.name} is larger than ${DOCUMENT_BYTES_MAX} bytes`)
  }
  const stored = {
    _id: id,
    position,
    ...(body !== undefined && { fields: storedFields(collection, document), body }),
    ...(broken && { broken: { position: broken.position, reason: broken.reason } }),
  }
  return { over, stored }
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

/** Of two concurrent inserts one fails with a duplicate key, and is repeated as an update. */
async function repeatedOnDuplicate(write: (options: { upsert: boolean }) => Promise<unknown>): Promise<void> {
  try {
    await write({ upsert: true })
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    await write({ upsert: false })
  }
}

/** Another process may have dropped it first. */
async function dropped(dropping: Promise<unknown>): Promise<void> {
  try {
    await dropping
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== NAMESPACE_NOT_FOUND) throw error
  }
}

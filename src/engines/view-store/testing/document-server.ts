import { MongoBulkWriteError, MongoServerError, type Db } from 'mongodb'
import type { MongodbConnection } from '../../mongodb/connection.ts'

type Stored = Readonly<Record<string, unknown>> & { readonly _id: string }
type Filter = Readonly<Record<string, unknown>>
type Collections = ReadonlyMap<string, ReadonlyMap<string, Stored>>

const DUPLICATE_KEY = 11_000

/** What a server of MongoDB's protocol does with documents, in memory. */
export function documentServer() {
  let collections: Collections = new Map()
  const past: Collections[] = []
  let durable = 0
  const documentsOf = (name: string): ReadonlyMap<string, Stored> => collections.get(name) ?? new Map<string, Stored>()

  function become(next: Collections): void {
    past.push(collections)
    collections = next
  }

  function set(name: string, change: (documents: Map<string, Stored>) => void): void {
    const documents = new Map(documentsOf(name))
    change(documents)
    become(new Map([...collections, [name, documents]]))
  }

  const found = (name: string, filter: Filter): Stored[] =>
    [...documentsOf(name).values()].filter((document) => fits(document, filter))

  return {
    /** The commands that a view store sends to write and load by id, each a call. */
    calls: {
      find: async (name: string, filter: Filter) => found(name, filter),
      async insertOne(name: string, document: Stored) {
        if (documentsOf(name).has(document._id))
          throw new MongoServerError({ message: 'duplicate', code: DUPLICATE_KEY })
        set(name, (documents) => documents.set(document._id, document))
      },
      async updateOne(name: string, filter: Filter, { $set: values = {}, $inc: added = {} }: Record<string, Filter>) {
        const [document] = found(name, filter)
        if (!document) return { matchedCount: 0 }
        const sums = Object.entries(added).map(([field, by]) => [field, Number(document[field]) + Number(by)])
        set(name, (documents) =>
          documents.set(document._id, { ...document, ...values, ...(Object.fromEntries(sums) as object) }),
        )
        return { matchedCount: 1 }
      },
      async deleteOne(name: string, filter: Filter) {
        const [document] = found(name, filter)
        if (document) set(name, (documents) => documents.delete(document._id))
        return { deletedCount: document ? 1 : 0 }
      },
      /** Replaces whole documents, each over a position that is not higher. */
      async bulkWrite(name: string, replacements: readonly Stored[]) {
        const refused: number[] = []
        for (const [index, document] of replacements.entries()) {
          const before = documentsOf(name).get(document._id)
          if (before && String(before['position']) > String(document['position'])) refused.push(index)
          else set(name, (documents) => documents.set(document._id, document))
        }
        if (refused.length > 0) throw duplicates(refused)
      },
      listCollections: async () => [...collections.keys()],
      async dropCollection(name: string) {
        become(new Map([...collections].filter(([other]) => other !== name)))
      },
    },
    wipe: () => become(new Map()),
    /** All that was written so far is on its disk, as it is with each answer to a write. */
    acknowledge() {
      durable = past.length
    },
    /** Takes back the newest of the writes, each of one document: of those that no answer covers, or as an older copy does that is put back. */
    lose(writes: number, of: 'unanswered' | 'all') {
      const at = Math.max(of === 'all' ? 0 : durable, past.length - writes)
      collections = past[at] ?? collections
      past.length = Math.min(at, past.length)
      durable = Math.min(durable, at)
    },
  }
}

export type DocumentServer = ReturnType<typeof documentServer>
export type ServerCalls = DocumentServer['calls']

/** A connection to it, as one process has it. */
export function connectionTo(calls: ServerCalls): MongodbConnection {
  const collection = (name: string) => ({
    findOne: async (filter: Filter) => (await calls.find(name, filter))[0] ?? null,
    find: (filter: Filter) => ({ toArray: async () => calls.find(name, filter) }),
    insertOne: async (document: Stored) => calls.insertOne(name, document),
    updateOne: async (filter: Filter, change: Record<string, Filter>) => calls.updateOne(name, filter, change),
    deleteOne: async (filter: Filter) => calls.deleteOne(name, filter),
    createIndexes: async () => undefined,
    async bulkWrite(operations: readonly { replaceOne: { filter: { _id: string }; replacement: object } }[]) {
      const replacements = operations.map(({ replaceOne: { filter, replacement } }) => ({
        _id: filter._id,
        ...replacement,
      }))
      await calls.bulkWrite(name, replacements)
    },
  })
  const database = {
    collection,
    listCollections: () => ({ toArray: async () => (await calls.listCollections()).map((name) => ({ name })) }),
    dropCollection: async (name: string) => calls.dropCollection(name),
  } as unknown as Db
  return { run: async (question) => question(database), hasReplicas: () => false, close: async () => undefined }
}

function fits(document: Stored, filter: Filter): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    const value = document[field]
    if (typeof wanted !== 'object' || wanted === null) return value === wanted
    const { $in: some } = wanted as { $in?: readonly unknown[] }
    return some?.includes(value) ?? false
  })
}

function duplicates(indexes: readonly number[]): MongoBulkWriteError {
  const error = new MongoBulkWriteError({ message: 'duplicates', code: DUPLICATE_KEY }, {
    getWriteConcernError: () => undefined,
  } as never)
  error.writeErrors = indexes.map((index) => ({ index, code: DUPLICATE_KEY })) as never
  return error
}

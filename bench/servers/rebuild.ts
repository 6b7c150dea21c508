import { type Db, MongoClient } from 'mongodb'

const BATCH = 1_000

/** Milliseconds in which the MongoDB driver alone inserts all documents of a database into another one, in bulk and without indexes. */
export async function insertMs({ from, to }: { from: string; to: string }): Promise<number> {
  const [source, target] = await Promise.all([MongoClient.connect(from), MongoClient.connect(to)])
  try {
    const collections = await documentsOf(source.db())
    const beganAt = performance.now()
    for (const [name, documents] of collections)
      for (let at = 0; at < documents.length; at += BATCH)
        await target
          .db()
          .collection(name)
          .insertMany(documents.slice(at, at + BATCH), {
            ordered: false,
            writeConcern: { w: 'majority', journal: true },
          })
    return performance.now() - beganAt
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

async function documentsOf(database: Db): Promise<[name: string, documents: object[]][]> {
  const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
  return Promise.all(
    names.map(async (name): Promise<[string, object[]]> => [name, await database.collection(name).find().toArray()]),
  )
}

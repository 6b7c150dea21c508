import { MongoClient } from 'mongodb'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { VAULT_COLLECTION } from '../mongodb/connection.ts'
import { databaseOfTest } from '../mongodb/testing/databases.ts'
import { type Fate, type WireCommand, wireProxy } from '../mongodb/testing/wire-proxy.ts'
import { describeUnless } from '../../testing/describe-unless.ts'
import { notSet } from '../../ports/testing/missing.ts'
import { mongodbViewStore, type MongodbViewStoreOptions, ViewDatabaseUnusable } from './mongodb-view-store.ts'
import { begun, put } from './testing/put.ts'
import { people, person, SET, source } from './testing/view-steps.ts'
import { SetGone, type ViewDocument, type ViewStore } from './view-store.ts'

function opened(options: MongodbViewStoreOptions): ViewStore {
  const store = mongodbViewStore(options)
  onTestFinished(() => store.close())
  return store
}

describeUnless(notSet('MONGODB_URL'), 'views in MongoDB', () => {
  let url: string
  let store: ViewStore

  beforeEach(async () => {
    url = databaseOfTest(process.env['MONGODB_URL'])
    store = opened({ url })
    await store.create(SET, begun, [people])
  })

  /** Another store on the same data, of whose commands this decides. */
  async function through(
    fateOf: (command: WireCommand) => Fate,
    as: { isReplicaSet?: boolean } = {},
  ): Promise<ViewStore> {
    const proxy = await wireProxy(url, fateOf, as)
    onTestFinished(() => proxy.close())
    return opened({ url: proxy.url, answerMs: 10_000 })
  }

  /** Does something to the database beside the store. */
  async function beside(work: (client: MongoClient) => Promise<unknown>): Promise<void> {
    const client = await MongoClient.connect(url)
    try {
      await work(client)
    } finally {
      await client.close()
    }
  }

  async function write(documents: readonly ViewDocument[], by = store): Promise<string> {
    return put(by, SET, [{ collection: people, documents }])
  }

  async function standing(id: string): Promise<ViewDocument | undefined> {
    return (await store.load(source, [id])).get(id)
  }

  it('a page of views in MongoDB is one query and one look at each marker', async () => {
    const sent: WireCommand[] = []
    const counted = await through((command) => {
      sent.push(command)
      return 'answered'
    })
    await counted.stateOf(SET)
    sent.length = 0
    await counted.find(source, {}, { limit: 900 })
    await counted.count(source, { range: { field: 'age', from: 0 } }, 10_000)
    expect(sent.map(({ name }) => name)).toEqual(['aggregate', 'find', 'find', 'aggregate', 'find', 'find'])
  })

  it('a write to MongoDB may be repeated by the driver, and waits for the majority, also when it is rejected', async () => {
    const writes: WireCommand[] = []
    const other = await through(
      (command) => {
        if (['find', 'listCollections'].includes(command.name)) return 'answered'
        writes.push(command)
        const isRepeated = writes.filter(({ name }) => name === command.name).length % 2 === 0
        return command.name === 'createIndexes' || isRepeated ? 'answered' : 'answer lost'
      },
      { isReplicaSet: true },
    )
    await write([person('anna', 2), person('bert', 2)], other)
    await write([person('anna', 1), person('bert', 3)], other)
    await other.index(SET, [people])
    expect([...(await other.load(source, ['anna', 'bert'])).values()]).toEqual([person('anna', 2), person('bert', 3)])
    expect(Number((await other.stateOf(SET))?.checkpoint)).toBe(2)
    expect(writes.map(({ document }) => document['writeConcern'])).toEqual(
      writes.map(() => ({ w: 'majority', j: true })),
    )
    const indexing = writes.find(({ name }) => name === 'createIndexes')
    expect(indexing?.document).toMatchObject({ commitQuorum: 'majority' })
  })

  it('names, numbers and characters with a meaning to MongoDB are stored as they are', async () => {
    const text = `{"a.b":1,"$set":{"$gt":""},"":0,"__proto__":{"x":-0},"n":[1e400,9007199254740993,5e-324],"half":"\\ud83d","nul":"\\u0000"}`
    const body: unknown = JSON.parse(text.replace('1e400', '1e308'))
    await write([{ id: '$where', position: '$1', body }])
    const found = await standing('$where')
    expect(JSON.stringify(found?.body)).toBe(JSON.stringify(body))
    expect(found?.position).toBe('$1')
  })

  it('a document above the limit of MongoDB is rejected before anything is written', async () => {
    const huge = { ...person('huge', 1), body: { text: 'x'.repeat(16 * 1024 * 1024) } }
    await expect(write([person('anna', 1), huge])).rejects.toThrow(
      new RangeError('huge of people is larger than 15728640 bytes'),
    )
    expect(await store.count(source, {}, 10)).toBe(0)
    const large = { ...person('large', 1), body: { text: 'x'.repeat(10 * 1024 * 1024) } }
    await write([large, { ...large, id: 'larger' }])
    expect((await store.load(source, ['large', 'larger'])).size).toBe(2)
  })

  it('a set in MongoDB is gone with any of its collections or the main marker, and the rest is found', async () => {
    await write([person('anna', 1)])
    await beside((client) => client.db().collection(`${SET}_people`).drop())
    expect(await store.stateOf(SET)).toBeUndefined()
    await expect(store.find(source, {}, { limit: 1 })).rejects.toThrow(SetGone)
    await expect(write([person('anna', 2)])).rejects.toThrow(SetGone)
    await store.drop(SET)
    expect(await store.found()).toEqual([])
    await beside((client) =>
      client
        .db()
        .collection<{ _id: string; position: string }>(`${SET}_people`)
        .insertOne({ _id: 'late', position: '1' }),
    )
    expect(await store.found()).toEqual([SET])
    await expect(store.load(source, ['late'])).rejects.toThrow(SetGone)
    await store.drop(SET)
    expect(await store.found()).toEqual([])
  })

  it('views are not stored beside a vault, and leave other data alone', async () => {
    await beside((client) => client.db().collection('notes').insertOne({ a: 1 }))
    await store.drop('notes')
    await beside(async (client) => expect(await client.db().collection('notes').countDocuments()).toBe(1))
    await beside((client) => client.db().collection(VAULT_COLLECTION).insertOne({ format: 1 }))
    const name = new URL(url).pathname.slice(1)
    await expect(opened({ url }).texts.read('registry')).rejects.toThrow(
      new ViewDatabaseUnusable(
        `${name} holds a vault, which must never be wiped, and views may be: set MONGODB_URL to a database of its own`,
      ),
    )
  })

  it.for<[string, object]>([
    ['a body that is no JSON', { $set: { body: '{' } }],
    ['a body that is no text', { $set: { body: { age: 1 } } }],
    ['no position', { $unset: { position: 1 } }],
  ])('a document that another program has given %s is named, with what to do', async ([, change]) => {
    await write([person('anna', 1), person('bert', 1)])
    await beside((client) =>
      client.db().collection<{ _id: string }>(`${SET}_people`).updateOne({ _id: 'anna' }, change),
    )
    await expect(store.load(source, ['anna'])).rejects.toThrow(
      new ViewDatabaseUnusable(
        `The view database is damaged at "anna": drop it (never the vault's), views are built again from the log`,
      ),
    )
    expect(await standing('bert')).toEqual(person('bert', 1))
  })
})

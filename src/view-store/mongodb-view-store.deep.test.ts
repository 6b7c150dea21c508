import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { MongoClient } from 'mongodb'
import { OF_VAULT, type SentCommand } from '../mongodb/connection.ts'
import { type TestDatabase, testDatabase } from '../mongodb/testing/databases.ts'
import { type Fate, type WireCommand, wireProxy } from '../mongodb/testing/wire-proxy.ts'
import { describeUnless } from '../testing/describe-unless.ts'
import { notSet } from '../testing/missing.ts'
import { mongodbViewStore, type MongodbViewStoreOptions, ViewDatabaseUnusable } from './mongodb-view-store.ts'
import { batches, expectViewsAgain, former, people, person, playViews } from './testing/view-steps.ts'
import { writeOver } from './testing/write-over.ts'
import { type ViewDocument, type ViewStore, ViewStoreAway } from './view-store.ts'

const address = process.env['MONGODB_URL']

function opened(options: MongodbViewStoreOptions): ViewStore {
  const store = mongodbViewStore(options)
  onTestFinished(() => store.close())
  return store
}

describeUnless(notSet('MONGODB_URL'), 'views in MongoDB', () => {
  let database: TestDatabase
  let store: ViewStore

  beforeEach(async () => {
    database = testDatabase(address ?? '')
    store = opened({ url: database.url })
    await store.open(people)
  })

  afterEach(() => database.drop())

  /** Another store on the same data, of whose commands this decides. */
  async function through(
    fateOf: (command: WireCommand) => Fate,
    as: { isReplicaSet?: boolean } = {},
  ): Promise<ViewStore> {
    const proxy = await wireProxy(database.url, fateOf, as)
    onTestFinished(() => proxy.close())
    return opened({ url: proxy.url, answerMs: 10_000 })
  }

  async function standing(id: string): Promise<ViewDocument | undefined> {
    return (await store.load(people, [id])).get(id)
  }

  it('take a whole batch in one read and one write', async () => {
    const sent: SentCommand[] = []
    const counted = opened({ url: database.url, onCommand: (command) => sent.push(command) })
    await counted.open(people)
    sent.length = 0
    const crowd = Array.from({ length: 900 }, (_, at) => person(`person ${at}`, 1, [`name ${at}`]))
    for (const position of [1, 2]) {
      await counted.load(people, [...crowd.map(({ id }) => id), 'nobody'])
      const documents = crowd.map((each) => ({ ...each, position: person('', position).position }))
      await counted.write([
        {
          collection: people,
          documents: documents.map((each) => ({ ...each, over: position === 1 ? undefined : crowd[0]?.position })),
        },
      ])
    }
    expect(sent).toEqual(['find', 'insert', 'find', 'update'].map((name) => ({ name, collection: people.name })))
    sent.length = 0
    await counted.find(people, { where: [] }, { limit: 900 })
    await counted.count(people, { where: [{ field: 'age', from: 0 }] }, 10_000)
    expect(sent.map(({ name }) => name)).toEqual(['aggregate', 'aggregate'])
  })

  it('raise a mark over a lower one that came in between finding none and inserting', async () => {
    await store.marks().raise('checkpoint', '1')
    const duplicate = { index: 0, code: 11_000, errmsg: 'E11000 duplicate key error' }
    let updates = 0
    const other = await through(({ name }) => {
      if (name === 'update') updates += 1
      return updates === 1 && name === 'update' ? { instead: { ok: 1, n: 0, writeErrors: [duplicate] } } : 'answered'
    })
    await other.marks().raise('checkpoint', '2')
    expect(await store.marks().read('checkpoint')).toBe('2')
  })

  it('may be repeated by the driver, as it does with a replica set, and waits for most of the replicas', async () => {
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
    await other.marks().set('first', '1')
    await other.open(people)
    await writeOver(other, people, [person('anna', 2), person('bert', 2)])
    await other.marks().raise('checkpoint', '2')
    await writeOver(other, people, [person('anna', 1), person('bert', 3)])
    await other.marks().raise('checkpoint', '1')
    expect([...(await other.load(people, ['anna', 'bert'])).values()]).toEqual([person('anna', 2), person('bert', 3)])
    expect(await other.marks().read('checkpoint')).toBe('2')
    expect(writes.length).toBeGreaterThan(10)
    expect(writes.map(({ document }) => document['writeConcern'])).toEqual(
      writes.map(() => ({ w: 'majority', j: true })),
    )
    const indexing = writes.find(({ name }) => name === 'createIndexes')
    expect(indexing?.document).toMatchObject({ commitQuorum: 'majority' })
  })

  it('keep names, numbers and characters as they are, whatever they mean to the server', async () => {
    const text = `{"a.b":1,"$set":{"$gt":""},"":0,"__proto__":{"x":-0},"n":[1e400,9007199254740993,5e-324],"half":"\\ud83d","nul":"\\u0000"}`
    const body: unknown = JSON.parse(text.replace('1e400', '1e308'))
    await store.write([{ collection: people, documents: [{ id: '$where', position: '$1', body }] }])
    const found = await standing('$where')
    expect(JSON.stringify(found?.body)).toBe(JSON.stringify(body))
    expect(found?.position).toBe('$1')
    await store.marks().set('$set.a', '$unset')
    expect(await store.marks().read('$set.a')).toBe('$unset')
  })

  it('refuse a document that is larger than the server takes, before anything is written', async () => {
    const huge = { ...person('huge', 1), body: { text: 'x'.repeat(16 * 1024 * 1024) } }
    await expect(store.write([{ collection: people, documents: [person('anna', 1), huge] }])).rejects.toThrow(
      new RangeError('huge of people@1 is larger than 15728640 bytes'),
    )
    expect(await store.count(people, { where: [] }, 10)).toBe(0)
    const large = { ...person('large', 1), body: { text: 'x'.repeat(10 * 1024 * 1024) } }
    await store.write([{ collection: people, documents: [large, { ...large, id: 'larger' }] }])
    expect((await store.load(people, ['large', 'larger'])).size).toBe(2)
  })

  it('name a collection that a late write has brought back, so that it is dropped again', async () => {
    const late = opened({ url: database.url })
    await late.open(people)
    await store.drop(people)
    expect(await store.collections()).toEqual([])
    await late.write([{ collection: people, documents: [person('anna', 1)] }])
    expect(await store.collections()).toEqual([{ name: people.name }])
    await store.drop(people)
    expect(await store.collections()).toEqual([])
  })

  it('are not put beside a vault, since wiping them would wipe it', async () => {
    const client = await MongoClient.connect(database.url)
    await client.db().collection(OF_VAULT).insertOne({ format: 1 })
    await client.close()
    const name = new URL(database.url).pathname.slice(1)
    const refused = new ViewDatabaseUnusable(
      `${name} holds a vault, which must never be wiped, and views may be: set MONGODB_URL to a database of its own`,
    )
    const beside = opened({ url: database.url })
    await expect(beside.marks().read('checkpoint')).rejects.toThrow(refused)
    await expect(beside.open(people)).rejects.toThrow(refused)
  })

  it('leave what is not theirs in the database', async () => {
    await store.marks().set('checkpoint', '1')
    await store.drop({ name: 'marks' })
    expect(await store.marks().read('checkpoint')).toBe('1')
    expect(await store.collections()).toEqual([{ name: people.name }])
  })

  it.for<[string, object]>([
    ['a body that is no JSON', { $set: { body: '{' } }],
    ['a body that is no text', { $set: { body: { age: 1 } } }],
    ['no position', { $unset: { position: 1 } }],
  ])('name a document that somebody else has given %s, and what to do', async ([, change]) => {
    await store.write([{ collection: people, documents: [person('anna', 1), person('bert', 1)] }])
    const client = await MongoClient.connect(database.url)
    await client.db().collection<{ _id: string }>(people.name).updateOne({ _id: 'anna' }, change)
    await client.close()
    await expect(store.load(people, ['anna'])).rejects.toThrow(
      new ViewDatabaseUnusable(
        `The view database is damaged at "anna": drop it (never the vault's), views are built again from the log`,
      ),
    )
    expect(await standing('bert')).toEqual(person('bert', 1))
  })

  it(
    'have all that was answered when the connection breaks at any command, and take it again',
    { timeout: 240_000 },
    async () => {
      let broken = 0
      for (const fate of ['lost', 'answer lost'] as const) {
        for (let at = 1, isOver = false; !isOver; at += 1) {
          let [sent, answered] = [0, 0]
          await store.drop(people)
          await store.drop(former)
          await store.marks().set('checkpoint', '0')
          const views = await through(({ number }) => {
            sent = number
            return number === at ? fate : 'answered'
          })
          // A read is repeated by the driver; a write that breaks ends the process.
          await playViews(views, (what) => (answered = 'round' in what ? what.round : answered)).catch(
            (error: unknown) => {
              expect(error).toBeInstanceOf(ViewStoreAway)
              broken += 1
            },
          )
          await views.close()
          isOver = sent < at

          await store.open(people)
          const checkpoint = Number(await store.marks().read('checkpoint'))
          expect(checkpoint).toBeGreaterThanOrEqual(answered)
          const documents = await store.load(people, ['anna', 'bert', 'carl'])
          if (checkpoint > 0) expect(documents.size).toBe(3)
          for (const { id, position } of documents.values()) {
            const round = Number(position)
            expect(round).toBeGreaterThanOrEqual(checkpoint)
            expect(documents.get(id)).toEqual(batches[round - 1]?.find((document) => document.id === id))
          }
          await expectViewsAgain(store)
        }
      }
      expect(broken).toBeGreaterThan(20)
    },
  )
})

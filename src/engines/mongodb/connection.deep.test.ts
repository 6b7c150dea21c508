import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { describeUnless } from '../../testing/describe-unless.ts'
import { notSet } from '../../ports/testing/missing.ts'
import { duplicatesOf, isDuplicateKey, type MongodbConnection, mongodbConnection } from './connection.ts'
import { databaseOfTest } from './testing/databases.ts'
import { type Fate, type WireCommand, wireProxy } from './testing/wire-proxy.ts'

class Away extends Error {}

function connectionTo(url: string, waitMs = 5_000): MongodbConnection {
  const connection = mongodbConnection({
    url,
    database: 'anything',
    name: 'The view database',
    waitMs,
    answerMs: 2_000,
    prepare: async () => undefined,
    away: (message, cause) => new Away(message, { cause }),
  })
  onTestFinished(() => connection.close())
  return connection
}

async function failure(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => 'nothing failed',
    (error: unknown) => error,
  )
}

const writeErrors = (...codes: number[]) => codes.map((code, index) => ({ index, code, errmsg: `error ${code}` }))
const late = { code: 64, errmsg: 'waiting for replication timed out' }

describeUnless(notSet('MONGODB_URL'), 'a MongoDB that answers', () => {
  let url: string
  let proxy: Awaited<ReturnType<typeof wireProxy>>
  let connection: MongodbConnection
  let fate: Fate
  let sent: WireCommand[]

  beforeEach(async () => {
    url = databaseOfTest(process.env['MONGODB_URL'])
    fate = 'answered'
    sent = []
    proxy = await wireProxy(url, (command) => {
      sent.push(command)
      return fate
    })
    connection = connectionTo(proxy.url)
  })

  afterEach(async () => {
    await connection.close()
    await proxy.close()
  })

  const insert = async (id: string) =>
    connection.run((db) => db.collection<{ _id: string }>('x').insertOne({ _id: id }))
  const bulk = async (...ids: string[]) =>
    connection.run((db) =>
      db.collection<{ _id: string }>('x').bulkWrite(
        ids.map((_id) => ({ insertOne: { document: { _id } } })),
        { ordered: false },
      ),
    )

  it('answers a write when it is on disk', async () => {
    await insert('a')
    await bulk('b', 'c')
    const concerns = sent.map(({ document }) => document['writeConcern'])
    expect(concerns).toEqual([1, 2].map(() => ({ w: 'majority', j: true })))
  })

  it.for<[string, object]>([
    ['is no longer the one that takes writes', { ok: 0, code: 10_107, errmsg: 'not primary' }],
    ['is stopping', { ok: 0, code: 11_600, errmsg: 'interrupted at shutdown' }],
    ['does not know this user', { ok: 0, code: 18, errmsg: 'Authentication failed.' }],
    ['does not let this user', { ok: 0, code: 13, errmsg: 'not authorized' }],
    ['is full', { ok: 0, code: 14_031, errmsg: 'no space' }],
    ['has not reached the majority', { ok: 1, n: 1, writeConcernError: late }],
    ['says that it may be asked again', { ok: 0, code: 1, errmsg: 'x', errorLabels: ['RetryableWriteError'] }],
    ['failed in the middle of a bulk', { ok: 1, n: 0, writeErrors: writeErrors(11_602) }],
    ['failed so beside duplicates', { ok: 1, n: 0, writeErrors: writeErrors(11_000, 189) }],
    [
      'has duplicates, and has not reached the majority',
      { ok: 1, writeErrors: writeErrors(11_000), writeConcernError: late },
    ],
  ])('is away when it %s', async ([, instead]) => {
    fate = { instead }
    expect(await failure(bulk('a', 'b'))).toBeInstanceOf(Away)
    if (!('writeErrors' in instead)) expect(await failure(insert('a'))).toBeInstanceOf(Away)
  })

  it.for(['command', 'answer'])('is away when the connection breaks before the %s comes', async (what) => {
    fate = what === 'command' ? 'lost' : 'answer lost'
    expect(await failure(bulk('a', 'b'))).toBeInstanceOf(Away)
    expect(await failure(insert('c'))).toBeInstanceOf(Away)
    expect(await failure(connection.run((db) => db.collection('x').findOne()))).toBeInstanceOf(Away)
    fate = 'answered'
    const found = await connection.run((db) =>
      db
        .collection('x')
        .find({}, { sort: { _id: 1 } })
        .toArray(),
    )
    expect(found.map(({ _id }) => String(_id))).toEqual(what === 'command' ? [] : ['a', 'b', 'c'])
  })

  it.for<[string, object]>([
    ['a question that it does not understand', { ok: 0, code: 2, errmsg: 'bad value' }],
    ['a command that it does not have', { ok: 0, code: 59, errmsg: 'no such command' }],
    ['a write that cannot be', { ok: 1, n: 0, writeErrors: writeErrors(121) }],
    ['such a write beside duplicates', { ok: 1, n: 0, writeErrors: writeErrors(11_000, 121) }],
  ])('lets the error through that names %s', async ([, instead]) => {
    fate = { instead }
    const error = await failure(bulk('a', 'b'))
    expect(error).toMatchObject({ name: expect.stringMatching(/^Mongo(Server|BulkWrite)Error$/) as string })
    expect(duplicatesOf(error)).toBeUndefined()
  })

  it('documents that exist already are reported', async () => {
    await insert('b')
    const single = await failure(insert('b'))
    expect(isDuplicateKey(single)).toBe(true)
    expect(duplicatesOf(await failure(bulk('a', 'b', 'c', 'a')))).toEqual([1, 3])
  })

  it('is away when an answer takes too long, and back when it answers again', async () => {
    await insert('a')
    fate = 'unanswered'
    expect(await failure(insert('b'))).toBeInstanceOf(Away)
    fate = 'answered'
    await insert('b')
  })

  it('completes the calls in progress at closing, and is away for later ones', async () => {
    const asked = insert('a')
    await connection.close()
    await asked
    await connection.close()
    expect(await failure(insert('b'))).toEqual(new Away('The view database is closed'))
  })

  it('asks the database that the address names, and only else the one that it is meant for', async () => {
    const name = new URL(url).pathname.slice(1)
    expect(await connection.run(async (db) => db.databaseName)).toBe(name)
    const unnamed = connectionTo(url.replace(`/${name}`, ''))
    expect(await unnamed.run(async (db) => db.databaseName)).toBe('anything')
    const withOptions = connectionTo(url.replace(`/${name}`, '/?appName=x'))
    expect(await withOptions.run(async (db) => db.databaseName)).toBe('anything')
  })
})

it('a MongoDB that is not there is reported as away, in one line without secrets', async () => {
  const connection = connectionTo('mongodb://owner:topsecret@127.0.0.1:1,127.0.0.1:2/views', 100)
  const error = await connection.run((db) => db.command({ ping: 1 })).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(Away)
  expect((error as Away).message).toMatch(/^The view database cannot be used now: .*127\.0\.0\.1:[12]/)
  expect((error as Away).message).not.toMatch(/\n|topsecret/)
})

it('a MongoDB whose name cannot be resolved is reported as away', async () => {
  const connection = connectionTo('mongodb+srv://nobody.invalid/views', 100)
  await expect(connection.run((db) => db.command({ ping: 1 }))).rejects.toThrow(Away)
})

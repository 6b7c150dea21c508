import { readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changeSettings } from '../commands/change-settings.ts'
import { systemRandom } from '../process/system.ts'
import { systemCaller } from '../shop/command-context.ts'
import { ADMIN_ID } from '../shop/hot/hot-states.ts'
import { EVENTS_FILE, VAULT_FILE } from '../engines/open-engines.ts'
import { eventstoredbServer } from '../engines/event-store/testing/eventstoredb-server.ts'
import { redisMissing, redisServer } from '../engines/redis/testing/redis-server.ts'
import { describeUnless } from '../testing/describe-unless.ts'
import { notSet } from '../ports/testing/missing.ts'
import type { OwnServer } from '../ports/testing/own-server.ts'
import { during, order } from '../testing/shop-folder.ts'
import { testFolder } from '../ports/testing/test-folder.ts'
import { clockOf } from './doctor/finding.ts'
import { runHere } from './testing/run-cli.ts'

const PARTS = ['log', 'vault', 'views', 'queue', 'folder']
const mongodbUrl = process.env['MONGODB_URL']

let folder: string

beforeEach(() => {
  folder = testFolder()
})

async function doctor(env: Record<string, string> = {}, ...words: string[]) {
  const { code, stdout, stderr } = await runHere(['doctor', ...words], { DATA_DIR: folder, ...env })
  const lines = stdout.split('\n').filter(Boolean)
  const of = (part: string): string => lines.find((line) => line.slice(6).startsWith(`${part}:`)) ?? ''
  return { code, lines, errors: stderr, of }
}

describe('shop doctor', { timeout: 60_000 }, () => {
  it('the doctor reports a configuration error in one line', async () => {
    const { code, lines, errors } = await doctor({ PORT: 'many' })
    expect({ code, lines }).toEqual({ code: 1, lines: [] })
    expect(errors).toMatch(/^configuration: PORT [^\n]+\n$/)
  })

  it('the doctor finds nothing to do before the first start and creates nothing', async () => {
    const { code, lines } = await doctor({ DATA_DIR: join(folder, 'new') })
    expect(code).toBe(0)
    expect(lines.map((line) => line.split(':')[0])).toEqual(PARTS.map((part) => `ok    ${part}`))
    expect(() => readFileSync(join(folder, 'new', EVENTS_FILE))).toThrow('ENOENT')
  })

  it('the doctor names the opening price of a live shop that strangers can reach, until staff confirm it', async () => {
    const paypal = { PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret', PAYPAL_WEBHOOK_ID: 'hook' }
    const live = { PAYMENTS: 'live', PUBLIC_URL: 'https://shop.example', ...paypal }
    const said =
      'note  price: the opening price is on sale (1000M at $0.05) -> set or confirm price and stock in the dashboard'
    expect((await doctor({ ...live, DATA_DIR: join(folder, 'new') })).of('price')).toBe(said)
    await during(folder, async (shop) => {
      expect((await doctor(live)).of('price')).toBe(said)
      expect((await doctor({ ...live, PUBLIC_URL: 'http://localhost:3000' })).of('price')).toBe('')
      const confirmed = { changes: { priceConfirmed: true as const }, adminId: ADMIN_ID, seenRevision: undefined }
      await changeSettings(shop.context, systemCaller(systemRandom), confirmed)
      expect((await doctor(live)).of('price')).toBe('ok    price: set or confirmed by staff')
    })
  })

  it('the doctor inspects the files of a shop, running or not', async () => {
    await during(folder, async (shop) => {
      await order(shop, 'anna@example.test')
      const { code, of } = await doctor()
      expect(code).toBe(0)
      for (const [part, file] of [
        ['log', EVENTS_FILE],
        ['vault', VAULT_FILE],
      ] as const)
        expect(of(part)).toMatch(new RegExp(`^ok .* SQLite, .*${file} .*version \\d+\\.\\d+.*, journal_mode wal$`))
    })
    const { code, of } = await doctor()
    expect(code).toBe(0)
    expect(of('log')).toContain('journal_mode wal')
  })

  it('the doctor reports that the newest event is ahead of the clock', async () => {
    await during(folder, async (shop) => order(shop, 'anna@example.test'))
    const database = new DatabaseSync(join(folder, EVENTS_FILE))
    database.prepare('UPDATE events SET recorded_at = ? WHERE position = 1').run(Date.now() + 3_600_000)
    expect((await doctor()).code).toBe(0)
    database.exec('UPDATE events SET recorded_at = (SELECT max(recorded_at) FROM events)')
    database.close()
    const { code, of } = await doctor()
    expect(code).toBe(1)
    expect(of('log')).toMatch(/^must .* -> the newest event lies 3\d{3} s ahead of this clock: set the clock/)
  })

  it('the doctor reports an unreadable file and does not change it', async () => {
    await during(folder, async (shop) => order(shop, 'anna@example.test'))
    truncateSync(join(folder, VAULT_FILE), 5_000)
    const before = readFileSync(join(folder, VAULT_FILE))
    const { code, of } = await doctor()
    expect(code).toBe(1)
    expect(of('vault')).toMatch(/^must .*cannot be read/)
    expect(of('log')).toMatch(/^ok /)
    expect(readFileSync(join(folder, VAULT_FILE)).equals(before)).toBe(true)
  })

  it.each([
    ['journal=false', 'VAULT_URL turns the journal off, .*: remove journal=false'],
    ['no-such-option=1', 'VAULT_URL cannot be used: option no-such-option is not supported'],
  ])('the doctor names the variable of an address with %s', async (option, line) => {
    const { of } = await doctor({ VAULT_URL: `mongodb://shop:hunter2@127.0.0.1:1/vault?${option}` })
    expect(of('vault')).toMatch(new RegExp(`^must .*${line} -> correct its address$`))
  })

  it('the doctor reports an engine that is away without its password', async () => {
    const { code, of, lines } = await doctor({
      REDIS_URL: 'redis://:hunter2@127.0.0.1:1',
      MONGODB_URL: 'mongodb://shop:hunter2@127.0.0.1:1/views',
      VAULT_URL: 'mongodb://shop:hunter2@127.0.0.1:1/vault',
      EVENTSTOREDB_URL: 'esdb://shop:hunter2@localhost:1',
    })
    expect(code).toBe(1)
    for (const part of ['queue', 'views', 'vault', 'log']) expect(of(part)).toMatch(/^must .* away \(.*ECONNREFUSED/)
    expect(lines.join()).not.toContain('hunter2')
  })

  it('the doctor inspects EventStoreDB', async () => {
    const server = await eventstoredbServer()
    try {
      const { of } = await doctor({ EVENTSTOREDB_URL: server.url })
      expect(of('log')).toMatch(
        /^ok .*EventStoreDB 24.* at esdb:.*leader, without TLS, on disk, clock (the same|\d+ ms off)$/,
      )
    } finally {
      await server.remove()
    }
  })

  describeUnless(notSet('MONGODB_URL'), 'in MongoDB', () => {
    it('the doctor inspects MongoDB', async () => {
      const { of } = await doctor({ MONGODB_URL: mongodbUrl ?? '', VAULT_URL: mongodbUrl ?? '' })
      expect(of('views')).toMatch(/^ok .*MongoDB \d+\.\d+.* at .*write concern majority.*clock (the same|\d+ ms off)/)
      expect(of('vault')).toMatch(/standalone.* -> .*replica set|replica set/)
    })
  })
})

describeUnless(redisMissing, 'shop doctor at a Redis', () => {
  vi.setConfig({ testTimeout: 60_000 })
  let redis: OwnServer | undefined

  afterEach(async () => redis?.remove())

  it('the doctor finds nothing to do for a Redis that keeps jobs', async () => {
    redis = await redisServer()
    const { code, of } = await doctor({ REDIS_URL: redis.url })
    expect(code).toBe(0)
    expect(of('queue')).toMatch(
      /^ok .*Redis \d+\.\d+\.\d+ at 127\.0\.0\.1:\d+, appendonly yes, maxmemory-policy noeviction, clock /,
    )
  })

  it('the doctor notes that Redis does not persist jobs, and rejects one that evicts them', async () => {
    redis = await redisServer(['--appendonly', 'no'])
    const kept = await doctor({ REDIS_URL: redis.url })
    expect(kept.code).toBe(0)
    expect(kept.of('queue')).toMatch(/^note .*appendonly no.* -> .*appendonly yes/)
    await redis.remove()
    redis = await redisServer(['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru'])
    const { code, of } = await doctor({ REDIS_URL: redis.url })
    expect(code).toBe(1)
    expect(of('queue')).toMatch(/^must .*allkeys-lru.* -> .*noeviction/)
  })

  it.each([
    ['no scripts', '~* +@all -@scripting', /^must .*no right to.*eval.*: ACL SETUSER NAME/],
    ['no blocking reads', '~* +@all -@blocking', /^must .*no right to.*bzpopmin/],
    ['the right to other keys', '~other-* +@all', /^must .*no right to .*: ACL SETUSER NAME/],
    ['no right to its settings', '~* +@all -@dangerous', /^note .*its settings are not known.*\+info/],
    ['the rights that the pages name', '~coinshop-* +@all -@admin -@dangerous +info', /^ok .*appendonly yes/],
  ])('the doctor says what a user of Redis with %s lacks', async (_name, rights, line) => {
    redis = await redisServer()
    const admin = new Redis(redis.url)
    await admin.call('ACL', 'SETUSER', 'shop', 'on', '>secret', ...rights.split(' '))
    admin.disconnect()
    const { of } = await doctor({ REDIS_URL: redis.url.replace('redis://', 'redis://shop:secret@') })
    expect(of('queue')).toMatch(line)
  })

  it('the doctor refuses a node of a Redis Cluster', async () => {
    redis = await redisServer(['--cluster-enabled', 'yes'])
    const { code, of } = await doctor({ REDIS_URL: redis.url })
    expect(code).toBe(1)
    expect(of('queue')).toMatch(/^must .*a node of a Redis Cluster, which the shop does not support/)
  })

  it('the doctor does not wait for a Redis that hangs', async () => {
    redis = await redisServer()
    redis.pause()
    const { code, of } = await doctor({ REDIS_URL: redis.url })
    expect(code).toBe(1)
    expect(of('queue')).toMatch(/^must .* away \(/)
  })
})

it('the doctor reports by how much a clock is off at least', () => {
  const now = Date.now()
  expect(clockOf(now - 500, now - 1_000)).toEqual({ facts: 'clock the same', must: undefined })
  expect(clockOf(now - 11_000, now - 1_000)).toMatchObject({ facts: 'clock 10000 ms off', must: expect.any(String) })
  expect(clockOf(now + 3_600_000, now).must).toBeDefined()
})

import { readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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
  it('names what is wrong with the configuration in one line', async () => {
    const { code, lines, errors } = await doctor({ PORT: 'many' })
    expect({ code, lines }).toEqual({ code: 1, lines: [] })
    expect(errors).toMatch(/^configuration: PORT [^\n]+\n$/)
  })

  it('finds nothing to do before the first start, and makes nothing', async () => {
    const { code, lines } = await doctor({ DATA_DIR: join(folder, 'new') })
    expect(code).toBe(0)
    expect(lines.map((line) => line.split(':')[0])).toEqual(PARTS.map((part) => `ok    ${part}`))
    expect(() => readFileSync(join(folder, 'new', EVENTS_FILE))).toThrow('ENOENT')
  })

  it('looks into the files of a shop, running or not', async () => {
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

  it('says that the newest event lies ahead of this clock', async () => {
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

  it('finds a file that cannot be read, and changes nothing in it', async () => {
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
  ])('names the variable of an address with %s', async (option, line) => {
    const { of } = await doctor({ VAULT_URL: `mongodb://shop:hunter2@127.0.0.1:1/vault?${option}` })
    expect(of('vault')).toMatch(new RegExp(`^must .*${line} -> correct its address$`))
  })

  it('says that an engine is away, in time and without its password', async () => {
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

  it('looks at an EventStoreDB', async () => {
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
    it("looks at a server of MongoDB's protocol", async () => {
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

  it('finds nothing to do where jobs are kept', async () => {
    redis = await redisServer()
    const { code, of } = await doctor({ REDIS_URL: redis.url })
    expect(code).toBe(0)
    expect(of('queue')).toMatch(
      /^ok .*Redis \d+\.\d+\.\d+ at 127\.0\.0\.1:\d+, appendonly yes, maxmemory-policy noeviction, clock /,
    )
  })

  it('notes that jobs are not kept, and demands that none is thrown away', async () => {
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

  it('does not wait for a Redis that hangs', async () => {
    redis = await redisServer()
    redis.pause()
    const { code, of } = await doctor({ REDIS_URL: redis.url })
    expect(code).toBe(1)
    expect(of('queue')).toMatch(/^must .* away \(/)
  })
})

it('reports by how much a clock is surely off, however long the answer took', () => {
  const now = Date.now()
  expect(clockOf(now - 500, now - 1_000)).toEqual({ facts: 'clock the same', must: undefined })
  expect(clockOf(now - 11_000, now - 1_000)).toMatchObject({ facts: 'clock 10000 ms off', must: expect.any(String) })
  expect(clockOf(now + 3_600_000, now).must).toBeDefined()
})

import { openSync, readFileSync, truncateSync, writeFileSync, writeSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { VAULT_FILE } from '../engines.ts'
import { EVENTS_FILE } from '../log-engines.ts'
import { eventstoredbServer } from '../event-store/testing/eventstoredb-server.ts'
import { redisMissing, redisServer } from '../job-queue/testing/redis-server.ts'
import { describeUnless } from '../testing/describe-unless.ts'
import { notSet } from '../testing/missing.ts'
import type { OwnServer } from '../testing/own-server.ts'
import { complete, during, newFolder, order, removeFolder } from '../testing/shop-folder.ts'
import { clockOf } from './doctor/finding.ts'
import { lookAtLogEnd } from './doctor/log-end.ts'
import { runScript } from './testing/run-script.ts'

const PARTS = ['log', 'end of the log', 'vault', 'buyers', 'views', 'queue', 'folder']
const mongodbUrl = process.env['MONGODB_URL']

let folder: string

beforeEach(() => {
  folder = newFolder()
})

afterEach(() => removeFolder(folder))

async function doctor(env: Record<string, string> = {}, ...words: string[]) {
  const { code, stdout, stderr } = await runScript('doctor', words, { DATA_DIR: folder, ...env })
  const lines = stdout.split('\n').filter(Boolean)
  const of = (part: string): string => lines.find((line) => line.slice(6).startsWith(`${part}:`)) ?? ''
  return { code, lines, errors: stderr, of }
}

describe('npm run doctor', { timeout: 60_000 }, () => {
  it('says how it is used, and explains itself', async () => {
    expect(await doctor({}, 'now')).toMatchObject({
      code: 2,
      lines: [],
      errors: expect.stringMatching(/^unexpected argument 'now' [^\n]+\n$/),
    })
    const { code, lines } = await doctor({}, '--help')
    expect(code).toBe(0)
    expect(lines.join()).toContain('Exit codes')
  })

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
        expect(of(part)).toMatch(
          new RegExp(
            `^ok .* SQLite \\d+\\.\\d+.*${file} .*journal_mode wal, synchronous \\w+, quick_check ok(, \\d+ events as they were written)?$`,
          ),
        )
    })
    const { code, of } = await doctor()
    expect(code).toBe(0)
    expect(of('log')).toContain('quick_check ok')
  })

  it('finds that the log has lost its end', async () => {
    const events = join(folder, EVENTS_FILE)
    await during(folder, async (shop) => order(shop, 'anna@example.test'))
    const before = readFileSync(events)
    await during(folder, async (shop) => order(shop, 'bert@example.test'))
    writeFileSync(events, before)
    const { code, of } = await doctor()
    expect(code).toBe(1)
    expect(of('end of the log')).toMatch(/^must .*the vault knows of \d+ -> .*accept-lost-events/)
  })

  it('counts the orders whose buyers an older vault does not know', async () => {
    await during(folder, async (shop) => complete(shop, await order(shop, 'anna@example.test')))
    const older = readFileSync(join(folder, VAULT_FILE))
    await during(folder, async (shop) => {
      for (const name of ['bert', 'carl']) await complete(shop, await order(shop, `${name}@example.test`))
    })
    expect((await doctor()).of('buyers')).toMatch(/^ok .*knows them all$/)
    writeFileSync(join(folder, VAULT_FILE), older)
    const { code, of } = await doctor()
    expect(code).toBe(1)
    expect(of('buyers')).toMatch(/^must .*2 orders cannot be read: .*newest copy back.*accept-lost-customers$/)
  })

  it('finds that the clock was ahead', () => {
    const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
    expect(lookAtLogEnd({ head: 5, recordedMs: nowMs + 1_000, knownHead: 5 }, nowMs)).toEqual({
      facts: 'the log ends at position 5, the vault knows of 5',
    })
    expect(lookAtLogEnd({ head: 5, recordedMs: nowMs + 72 * 3_600_000 }, nowMs)).toMatchObject({
      facts: expect.stringContaining('72.0 hours ahead of this clock'),
      must: expect.stringContaining('set this clock'),
    })
  })

  it('finds a damaged file, and changes nothing in it', async () => {
    await during(folder, async (shop) => order(shop, 'anna@example.test'))
    const events = join(folder, EVENTS_FILE)
    const file = openSync(events, 'r+')
    writeSync(file, Buffer.alloc(4_096, 0xff), 0, 4_096, 8_192)
    closeSync(file)
    truncateSync(join(folder, VAULT_FILE), 5_000)
    const before = readFileSync(events)
    const { code, of } = await doctor()
    expect(code).toBe(1)
    expect(of('log')).toMatch(/^must .*(damaged|cannot be read)/)
    expect(of('vault')).toMatch(/^must .*(damaged|cannot be read)/)
    expect(of('views')).toMatch(/^ok /)
    expect(readFileSync(events).equals(before)).toBe(true)
  })

  it('finds an event that is not what was written, and names the command that finds all', async () => {
    const orderId = await during(folder, async (shop) => order(shop, 'anna@example.test'))
    const database = new DatabaseSync(join(folder, EVENTS_FILE))
    database.exec(`UPDATE events SET data = replace(data, '{', '[') WHERE stream = 'order-${orderId}' AND revision = 0`)
    database.close()
    const { code, of } = await doctor()
    expect(code).toBe(1)
    expect(of('log')).toMatch(
      /^must .*quick_check ok, the event at position \d+ is not .* -> npm run verify .*copy back/,
    )
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
      EVENTSTOREDB_URL: 'esdb://shop:hunter2@127.0.0.1:1',
    })
    expect(code).toBe(1)
    for (const part of ['queue', 'views', 'vault', 'log']) expect(of(part)).toMatch(/^must .* away \(.*ECONNREFUSED/)
    expect(lines.join()).not.toContain('hunter2')
  })

  it('looks at an EventStoreDB, and writes to it only when it is told to', async () => {
    const server = await eventstoredbServer()
    try {
      const { of } = await doctor({ EVENTSTOREDB_URL: server.url })
      expect(of('log')).toMatch(
        /^ok .*EventStoreDB 24.* at esdb:.*leader, without TLS, on disk, .* GB free .*clock .*nothing written/,
      )
      expect(of('end of the log')).toBe('ok    end of the log: no events yet')
      const { of: ofWrite } = await doctor({ EVENTSTOREDB_URL: server.url }, '--write')
      expect(ofWrite('log')).toMatch(/^ok .*clock (the same|\d+ ms off), an event was written and read/)
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

describeUnless(redisMissing, 'npm run doctor at a Redis', () => {
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

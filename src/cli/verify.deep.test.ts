import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { MongoClient } from 'mongodb'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { EVENTS_FILE, VAULT_FILE } from '../engines/open-engines.ts'
import { STOCK_STREAM } from '../domain/stream-names.ts'
import type { RunningShop } from '../process/run-shop.ts'
import { systemCaller } from '../shop/command-context.ts'
import { systemRandom } from '../process/system.ts'
import { describeEach, describeUnless } from '../testing/describe-unless.ts'
import { engineSets, type ShopEnvironment } from '../testing/engine-sets.ts'
import { databaseOfTest } from '../engines/mongodb/testing/databases.ts'
import { notSet } from '../ports/testing/missing.ts'
import { complete, during, listed, numberOf, order, viewFiles } from '../testing/shop-folder.ts'
import { copyOf, suiteFolder, testFolder } from '../ports/testing/test-folder.ts'
import { runHere } from './testing/run-cli.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const ANNA = 'anna@example.test'
const sound = [
  /^ok {4}log: \d+ events of \d+ streams, each as it was written$/,
  /^ok {4}vault: /,
  /^ok {4}books: 2 orders, /,
  /^ok {4}views: \d+ documents of 4 views, /,
]

interface Verified {
  readonly code: number
  readonly lines: readonly string[]
  readonly errors: string
}

/** Progress lines, which slow runs print. */
const PROGRESS = /^(?:reading .+|.+ compared|\d+ of \d+ (?:events|streams)|views: \d+ of \d+ events folded)\n/gm

async function verify(env: Record<string, string>, ...words: string[]): Promise<Verified> {
  const { code, stdout, stderr } = await runHere(['verify', ...words], env)
  return { code, lines: stdout.split('\n').filter(Boolean), errors: stderr.replaceAll(PROGRESS, '') }
}

const verifyAll = async (env: Record<string, string>): Promise<Verified> => verify(env, '--books', '--views')

function expectSound({ code, lines, errors }: Verified): void {
  expect({ code, errors, lines }).toEqual({
    code: 0,
    errors: '',
    lines: sound.map((line) => expect.stringMatching(line)),
  })
}

async function twoOrders(shop: RunningShop): Promise<string> {
  const orderId = await order(shop, ANNA)
  await complete(shop, orderId)
  await order(shop, 'bert@example.test')
  await listed(shop)
  return orderId
}

describeEach(engineSets, 'shop verify', (set) => {
  let place: ShopEnvironment

  beforeEach(async () => {
    place = await set.provision()
  })
  afterEach(async () => place.remove())

  it('verify accepts a sound shop, running or not, and does not change it', async () => {
    const folder = place.env['DATA_DIR'] ?? ''
    const looked = async (shop: RunningShop): Promise<void> => {
      await twoOrders(shop)
      expectSound(await verifyAll(place.env))
      expectSound(await verifyAll(place.env))
    }
    await during(folder, looked, place.env)
    const bytes = () =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.sqlite'))
        .map((name) => readFileSync(join(folder, name)))
    const before = bytes()
    expectSound(await verifyAll(place.env))
    expect((await verify(place.env)).lines).toHaveLength(2)
    expect(bytes()).toEqual(before)
  })
})

describeUnless(notSet('VAULT_URL'), 'shop verify of a vault in MongoDB', () => {
  it('verify creates no vault and says which one cannot be reached', async () => {
    const folder = testFolder()
    const url = databaseOfTest(process.env['VAULT_URL'])
    await using client = new MongoClient(url)
    await during(folder, async () => undefined)
    const empty = await verify({ DATA_DIR: folder, VAULT_URL: url })
    expect(empty.code).toBe(1)
    expect(empty.lines[0]).toMatch(/^must {2}vault: .* holds no vault: set VAULT_URL .* -> /)
    expect(await client.db().listCollections().toArray()).toEqual([])
    const away = await verify({ DATA_DIR: folder, VAULT_URL: 'mongodb://shop:hunter2@127.0.0.1:1/vault' })
    expect(away.code).toBe(1)
    expect(away.lines[0]).toMatch(/^must {2}vault: .*ECONNREFUSED.* -> start it, or correct its address$/)
    expect(away.lines.join()).not.toContain('hunter2')
  })
})

describe('shop verify on damaged files', () => {
  const original = suiteFolder()
  let folder: string
  let orderId: string
  let orderNumber: string

  beforeAll(async () => {
    orderId = await during(original, async (shop) => {
      const id = await twoOrders(shop)
      orderNumber = await numberOf(shop, id)
      return id
    })
    // Removes the remains of moved rows, which are not part of the log.
    const events = new DatabaseSync(join(original, EVENTS_FILE))
    events.exec('PRAGMA secure_delete = ON; VACUUM')
    events.close()
  })

  beforeEach(() => {
    folder = copyOf(original)
  })

  const fileOf = (name: string): string => join(folder, name)

  function sql(name: string, ...statements: readonly string[]): void {
    const database = new DatabaseSync(fileOf(name))
    for (const statement of statements) database.exec(statement)
    database.close()
  }

  /** Offsets of a text in a file. */
  function placesOf(name: string, marker: string): number[] {
    const bytes = readFileSync(fileOf(name))
    const places: number[] = []
    for (let at = bytes.indexOf(marker); at >= 0; at = bytes.indexOf(marker, at + 1)) places.push(at + 3)
    return places
  }

  /** As stored in the file. */
  function keyOfACustomer(): string {
    const database = new DatabaseSync(fileOf(VAULT_FILE), { readOnly: true })
    const row = database.prepare("SELECT value FROM vault WHERE kind = 'customer'").get()
    database.close()
    return (JSON.parse(String(row?.['value'])) as { key: string }).key
  }

  const restore =
    /^must {2}log: .*-> stop the shop, keep events\.sqlite, put its newest copy back \(docs\/operations\.md, Restore\)$/
  const vaultBack =
    /^must {2}vault: .*-> .*put (its|the) newest copy (of the vault )?back .*docs\/operations\.md, Restore/
  const wipe = /^must {2}views: .*-> remove the folder views in DATA_DIR, .*Rebuild the views/

  it.for<[part: string, name: string]>([
    ['log', EVENTS_FILE],
    ['vault', VAULT_FILE],
  ])('verify does not recommend a backup for a %s that is only locked', async ([part, name]) => {
    const holder = new DatabaseSync(fileOf(name))
    try {
      holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
      const { code, lines } = await verify({ DATA_DIR: folder })
      expect(code).toBe(1)
      expect(lines.filter((line) => line.startsWith('must'))).toEqual([
        expect.stringMatching(
          new RegExp(`^must +${part}: .*locked by another process -> fix that first, then verify again$`),
        ),
      ])
    } finally {
      holder.close()
    }
  })

  it.for<[name: string, marker: () => string, line: RegExp]>([
    [EVENTS_FILE, () => orderId, restore],
    [EVENTS_FILE, () => '"personal":"v1.', restore],
    [EVENTS_FILE, () => '"correlationId"', restore],
    [EVENTS_FILE, () => 'SQLite format 3', restore],
    [VAULT_FILE, keyOfACustomer, vaultBack],
    [VAULT_FILE, () => 'shop-key', vaultBack],
    [VAULT_FILE, () => 'log-head', vaultBack],
    [VAULT_FILE, () => '$argon2id$', vaultBack],
    [VAULT_FILE, () => 'SQLite format 3', vaultBack],
    ['others', () => orderNumber, wipe],
    ['others', () => orderId, wipe],
    ['others', () => 'SQLite format 3', wipe],
    ['people', () => ANNA, wipe],
    ['people', () => 'SQLite format 3', wipe],
  ])('verify finds a flipped bit in %s', async ([which, marker, line]) => {
    const name = which === 'people' || which === 'others' ? (viewFiles(folder, which)[0] ?? '') : which
    const places = placesOf(name, marker())
    expect(places).not.toEqual([])
    for (const place of places.slice(0, 4)) {
      rmSync(folder, { recursive: true })
      cpSync(original, folder, { recursive: true })
      const bytes = readFileSync(fileOf(name))
      bytes.writeUInt8(bytes.readUInt8(place) ^ 4, place)
      writeFileSync(fileOf(name), bytes)
      const { code, lines, errors } = await verifyAll({ DATA_DIR: folder })
      expect({ place, code, errors, lines }).toMatchObject({
        code: 1,
        errors: '',
        lines: expect.arrayContaining([expect.stringMatching(line)]),
      })
      // A damaged log or vault must not recommend wiping the views.
      if (line !== wipe) expect(lines.filter((text) => wipe.test(text))).toEqual([])
    }
  })

  it('verify names a changed event once', async () => {
    sql(
      EVENTS_FILE,
      `UPDATE events SET data = replace(data, '{', '[') WHERE stream = 'order-${orderId}' AND revision = 1`,
    )
    const { lines } = await verify({ DATA_DIR: folder })
    expect(lines.filter((line) => line.startsWith('must'))).toEqual([
      expect.stringMatching(
        new RegExp(`at position \\d+ \\(event 1 of order-${orderId}\\) is not what was written -> `),
      ),
    ])
  })

  it('verify finds missing events', async () => {
    sql(EVENTS_FILE, `DELETE FROM events WHERE stream = 'order-${orderId}' AND revision = 0`)
    expect(await verifyAll({ DATA_DIR: folder })).toMatchObject({
      code: 1,
      lines: expect.arrayContaining([
        expect.stringMatching(/^must {2}log: .*position \d+/),
        expect.stringMatching(/^note {2}books: .*verify again/),
        expect.stringMatching(/^note {2}views: .*verify again/),
      ]),
    })
  })

  it('verify finds a log that has lost its end', async () => {
    const events = readFileSync(fileOf(EVENTS_FILE))
    await during(folder, async (shop) => order(shop, ANNA))
    writeFileSync(fileOf(EVENTS_FILE), events)
    const { code, lines } = await verify({ DATA_DIR: folder })
    expect(code).toBe(1)
    expect(lines[0]).toMatch(/^must {2}log: it ends at position \d+, but the vault knows of \d+ -> .*accept-loss$/)
  })

  it('verify finds a vault that is older, of another shop or missing', async () => {
    await during(folder, async (shop) => order(shop, 'carl@example.test'))
    copyFileSync(join(original, VAULT_FILE), fileOf(VAULT_FILE))
    const older = await verify({ DATA_DIR: folder })
    expect(older.code).toBe(1)
    expect(older.lines[0]).toMatch(
      /^must {2}vault: the buyer of order-\S+ \(revision 0, position \d+\) cannot be read: the vault does not know .*accept-loss$/,
    )
    const other = testFolder()
    await during(other, async () => undefined)
    copyFileSync(join(other, VAULT_FILE), fileOf(VAULT_FILE))
    expect((await verify({ DATA_DIR: folder })).lines.join('\n')).toMatch(
      /^must {2}vault: .*another shop.* -> put back the vault/m,
    )
    rmSync(fileOf(VAULT_FILE))
    const missing = await verify({ DATA_DIR: folder })
    expect(missing).toMatchObject({ code: 1, errors: '' })
    expect(missing.lines[0]).toMatch(vaultBack)
    expect(readdirSync(folder)).not.toContain(VAULT_FILE)
  })

  it('verify finds books that do not balance', async () => {
    const { code, lines } = await during(folder, async ({ engines: { log } }) => {
      const revision = (await log.readStream(STOCK_STREAM)).length - 1
      const event = {
        type: 'StockCommitted',
        data: { serial: 4_711, orderId, quantityM: 1, at: '2026-01-01T00:00:00.000Z' },
      } as const
      await log.append(STOCK_STREAM, revision, [{ event, caller: systemCaller(systemRandom) }])
      return verifyAll({ DATA_DIR: folder })
    })
    expect(code).toBe(1)
    expect(lines.filter((line) => line.includes('something is wrong'))).toEqual([])
    expect(lines).toContainEqual(expect.stringMatching(/^must {2}books: serial 4711 of .* -> /))
  })

  it.for<[what: string, statement: string, line: RegExp]>([
    ['missing', 'DELETE FROM %', /document \S+: it is missing -> /],
    ['too many', `UPDATE % SET id = 'zzz'`, /document zzz: no event of the log makes it -> /],
    ['of another position', `UPDATE % SET position = '00000000000000000001'`, /document \S+: it is not what the log/],
    [
      'found by what they do not hold',
      `UPDATE % SET "field.method" = 'cash'`,
      /document \S+: queries find it by values/,
    ],
    ['broken', `UPDATE % SET broken = '{"position":"1","reason":"old"}'`, /document \S+: it is not what the log/],
  ])('verify finds documents that are %s', async ([, statement, line]) => {
    const [file = ''] = viewFiles(folder, 'others')
    sql(file, `${statement.replace('%', '"orders"')} WHERE id = '${orderId}'`)
    const { code, lines } = await verifyAll({ DATA_DIR: folder })
    expect(code).toBe(1)
    expect(lines.join('\n')).toMatch(line)
  })

  it('verify names twenty problems and the number of the rest', async () => {
    await during(folder, async (shop) => {
      for (let orders = 0; orders < 8; orders += 1) await order(shop, ANNA)
    })
    sql(EVENTS_FILE, `UPDATE events SET data = replace(data, '{', '[')`)
    const { code, lines } = await verify({ DATA_DIR: folder })
    expect(code).toBe(1)
    const named = lines.filter((line) => line.startsWith('must  log: '))
    expect(named).toHaveLength(21)
    expect(named.at(-1)).toMatch(/and \d+ more: \d+ -> as above$/)
  })
})

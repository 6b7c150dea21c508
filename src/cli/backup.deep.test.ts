import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { setStock } from '../commands/set-stock.ts'
import { NoShop, parseConfig } from '../config.ts'
import { EVENTS_FILE, VAULT_FILE } from '../engines/open-engines.ts'
import { orderStream } from '../domain/stream-names.ts'
import type { RunningShop } from '../process/run-shop.ts'
import { ADMIN_ID } from '../shop/hot/hot-states.ts'
import { systemCaller } from '../shop/command-context.ts'
import { systemRandom } from '../process/system.ts'
import { allEvents } from '../testing/audit-books.ts'
import { auditShop } from '../testing/audit-shop.ts'
import { describeUnless } from '../testing/describe-unless.ts'
import { provisionWith } from '../testing/engine-sets.ts'
import { notSet, withoutFileModes } from '../ports/testing/missing.ts'
import { complete, during, listed, numberOf, order } from '../testing/shop-folder.ts'
import { copyOf, suiteFolder } from '../ports/testing/test-folder.ts'
import { backUp } from './backup/back-up.ts'
import { whyMessagesOff } from '../shop/message-notes.ts'
import { type Restored, restoreCopy } from './backup/restore-copy.ts'
import { UsageError } from './program.ts'
import { runShop } from './testing/run-cli.ts'

const ANNA = 'anna@example.test'
const BERT = 'bert@example.test'

/**
 * A shop in `data`, and its copies: `yesterday` with an order of Anna, `today` also with one of Bert. Another shop in `other`, and its copy in `others`.
 * Each test gets a room with copies of all.
 */
const prepared = suiteFolder()
let room = prepared
let bertsId: string

beforeAll(async () => {
  await during(at('data'), async (shop) => order(shop, ANNA))
  await backup('yesterday')
  bertsId = await during(at('data'), async (shop) => order(shop, BERT))
  await backup('today')
  await during(at('other'), async () => undefined)
  await backup('others', { DATA_DIR: at('other') })
})

beforeEach(() => {
  room = copyOf(prepared)
})

const at = (...names: string[]): string => join(room, ...names)
const log = (name: string): string => at('today', 'log', name)
const vault = (name: string): string => at('today', 'vault', name)

async function backup(name: string, env: Record<string, string> = {}): Promise<unknown> {
  const folders = { to: at(name, 'log'), vaultTo: env['VAULT_URL'] === undefined ? at(name, 'vault') : undefined }
  return backUp(parseConfig({ DATA_DIR: at('data'), ...env }), folders, () => undefined)
}

async function restore(
  { log = 'today', vault = 'today', mayLoseCustomers = false } = {},
  env: Record<string, string> = {},
): Promise<Restored> {
  const vaultFrom = env['VAULT_URL'] === undefined ? at(vault, 'vault') : undefined
  const folders = { from: at(log, 'log'), vaultFrom, mayLoseCustomers }
  return restoreCopy(parseConfig({ DATA_DIR: at('restored'), ...env }), folders, () => undefined)
}

const command = async (name: string, words: readonly string[], env: Record<string, string> = {}) =>
  runShop([name, ...words], { DATA_DIR: at('data'), ...env })

/** Ends a backup or restore when its progress begins with `step`, as Ctrl-C does. */
async function interrupted(verb: 'back-up' | 'restore-copy', folders: object, step: string): Promise<void> {
  const name = { 'back-up': 'backUp', 'restore-copy': 'restoreCopy' }[verb]
  const script = `
    import { parseConfig } from ${JSON.stringify(new URL('../config.ts', import.meta.url).href)}
    import { ${name} } from ${JSON.stringify(new URL(`backup/${verb}.ts`, import.meta.url).href)}
    const show = (text) => text.startsWith('${step}') && process.exit(130)
    await ${name}(parseConfig(process.env), ${JSON.stringify(folders)}, show)`
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: at(verb === 'back-up' ? 'data' : 'restored') }
  const { promise, resolve } = Promise.withResolvers<unknown>()
  execFile(process.execPath, ['--input-type=module', '-e', script], { env }, (error) => resolve(error?.code))
  expect(await promise).toBe(130)
}

async function buyerOf({ engines: { log } }: RunningShop, orderId: string): Promise<unknown> {
  const [placed] = await log.readStream(orderStream(orderId), 0, 1)
  return placed && [...(await log.openPersonal([placed])).values()][0]
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]).toSorted() : []
}

it('a backup of a running shop has every order that was placed before, and its restore gives no later order number again', async () => {
  const answered: string[] = []
  const numbers: string[] = []
  let before = 0
  const selling = new AbortController()
  await during(at('data'), async (shop) => {
    const stock = { stockM: 100_000, seenM: undefined, editKey: null, adminId: ADMIN_ID }
    await setStock(shop.context, systemCaller(systemRandom), stock)
    const buyer = async (name: number): Promise<void> => {
      for (let turn = 0; !selling.signal.aborted; turn += 1)
        answered.push(await order(shop, `buyer-${name}-${turn}@example.test`))
    }
    const buyers = Array.from({ length: 16 }, (_, name) => buyer(name))
    await expect.poll(() => answered.length, { timeout: 20_000 }).toBeGreaterThan(300)
    before = answered.length
    const words = ['--to', at('copy', 'log'), '--vault-to', at('copy', 'vault')]
    expect(await command('backup', words)).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Copied and read back: [^\n]+\n$/),
      stderr: '',
    })
    expect(answered.length - before).toBeGreaterThan(100)
    selling.abort()
    await Promise.all(buyers)
    for (const orderId of answered) numbers.push(await numberOf(shop, orderId))
  })
  const words = ['--from', at('copy', 'log'), '--vault-from', at('copy', 'vault')]
  expect(await command('restore', words, { DATA_DIR: at('restored') })).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Restored: [^]*\nLost: [^]*\nStart the shop/),
    stderr: '',
  })
  await during(at('restored'), async (shop) => {
    const events = await allEvents(shop.engines.log)
    const placed = new Map(events.filter(({ type }) => type === 'OrderPlaced').map((event) => [event.stream, event]))
    for (const orderId of answered.slice(0, before)) expect(placed.has(orderStream(orderId))).toBe(true)
    expect(await whyMessagesOff(shop.engines.vault, shop.context.config)).toBe('turned-off')
    const buyers = await shop.engines.log.openPersonal([...placed.values()])
    expect(buyers.size).toBe(placed.size)
    expect([...buyers.values()]).not.toContain('erased')
    for (let turn = 0; turn < 20; turn += 1)
      expect(numbers).not.toContain(await numberOf(shop, await order(shop, `later-${turn}@example.test`)))
  })
  expect((await auditShop({ DATA_DIR: at('restored') }, { atRest: false })).problems).toEqual([])
}, 60_000)

describe('shop backup', () => {
  it('backup copies a stopped shop and does not change it', async () => {
    const before = readFileSync(at('data', EVENTS_FILE))
    await backup('copy')
    expect(readFileSync(at('data', EVENTS_FILE)).equals(before)).toBe(true)
    expect(filesIn(at('copy', 'log'))).toEqual([EVENTS_FILE])
    expect(filesIn(at('copy', 'vault'))).toEqual([VAULT_FILE])
  })

  it('a backup has the buyer of every order, also of one placed between its two copies', async () => {
    const shopFolder = JSON.stringify(new URL('../testing/shop-folder.ts', import.meta.url))
    const place = `const { during, order } = await import(${shopFolder})
      await during(${JSON.stringify(at('data'))}, (shop) => order(shop, 'carl@example.test'))`
    const begun: string[] = []
    const show = (text: string): void => {
      if (!/^copying the (log|vault)$/.test(text)) return
      begun.push(text)
      if (begun.length === 2) execFileSync(process.execPath, ['--input-type=module', '--eval', place])
    }
    const folders = { to: at('copy', 'log'), vaultTo: at('copy', 'vault') }
    expect(await backUp(parseConfig({ DATA_DIR: at('data') }), folders, show)).toMatchObject({ orders: 2 })
    expect(begun).toHaveLength(2)
  })

  describeUnless(withoutFileModes, 'makes files', () => {
    it('backup and restore create files that only this user may read', async () => {
      await backup('copy')
      chmodSync(at('copy', 'log', EVENTS_FILE), 0o644)
      await restore({ log: 'copy', vault: 'copy' })
      const files = ['copy/vault', 'restored'].flatMap((folder) => filesIn(at(folder)).map((name) => at(folder, name)))
      expect(files).toHaveLength(3)
      for (const file of files) expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600])
      for (const folder of ['copy/log', 'restored']) expect(statSync(at(folder)).mode & 0o777).toBe(0o700)
    })
  })

  it.for<[string, { to: string; vaultTo?: string }, RegExp]>([
    ['no folder for the vault', { to: 'a' }, /--vault-to is missing/],
    ['one folder for both', { to: 'a', vaultTo: 'b/../a' }, /overlap.*keep them apart/],
    ['one inside of the other', { to: 'a', vaultTo: 'a/vault' }, /overlap.*keep them apart/],
    ['one inside of the other by a link', { to: 'a', vaultTo: 'link/vault' }, /overlap/],
    ['the folder of the shop', { to: 'data', vaultTo: 'b' }, /DATA_DIR .* overlap/],
    ['one inside of it', { to: 'a', vaultTo: 'data/vault' }, /DATA_DIR .* overlap/],
  ])('backup rejects %s', async ([, { to, vaultTo }, reason]) => {
    mkdirSync(at('a'))
    symlinkSync(at('a'), at('link'))
    const before = filesIn(room)
    const folders = { to: `${room}/${to}`, vaultTo: vaultTo && `${room}/${vaultTo}` }
    const refused = backUp(parseConfig({ DATA_DIR: at('data') }), folders, () => undefined)
    await expect(refused).rejects.toThrow(UsageError)
    await expect(refused).rejects.toThrow(reason)
    expect(filesIn(room)).toEqual(before)
  })

  it('backup overwrites nothing', async () => {
    const before = readFileSync(vault(VAULT_FILE))
    const folders = { to: at('new'), vaultTo: at('today', 'vault') }
    const refused = backUp(parseConfig({ DATA_DIR: at('data') }), folders, () => undefined)
    await expect(refused).rejects.toThrow(/vault is not empty \(vault.sqlite\): name a folder/)
    expect(readFileSync(vault(VAULT_FILE)).equals(before)).toBe(true)
  })

  it('backup creates nothing without a shop', async () => {
    const before = filesIn(room)
    await expect(backup('copy', { DATA_DIR: at('nothing') })).rejects.toThrow(NoShop)
    expect(filesIn(room)).toEqual(before)
  })

  it.for<[string, () => void, RegExp]>([
    ['an event has changed', () => flip(at('data', EVENTS_FILE), '"quantityM":1,'), /is not what was written/],
    ['an index has lost an entry', () => loseIndexEntry(at('data', VAULT_FILE)), /the copy of the vault is damaged/],
    ['the vault is of another shop', () => put('other', VAULT_FILE), /two different shops/],
    [
      'the vault does not know a buyer',
      () => put('yesterday/vault', VAULT_FILE),
      /the vault does not know the buyer of order/,
    ],
  ])('backup leaves no copy when %s', async ([, damage, reason]) => {
    damage()
    await expect(backup('copy')).rejects.toThrow(reason)
    expect([...filesIn(at('copy', 'log')), ...filesIn(at('copy', 'vault'))]).toEqual([])
  })
})

it.each([
  ['back-up', 'copying the vault'],
  ['back-up', 'reading the copy'],
  ['restore-copy', 'copying the log'],
  ['restore-copy', 'copying the vault'],
  ['restore-copy', 'reading the copy'],
] as const)('%s leaves nothing when interrupted (%s) and can be repeated', async (verb, step) => {
  const isBackup = verb === 'back-up'
  const [to, vaultTo, from, vaultFrom] = [
    at('cut', 'log'),
    at('cut', 'vault'),
    at('today', 'log'),
    at('today', 'vault'),
  ]
  await interrupted(verb, isBackup ? { to, vaultTo } : { from, vaultFrom }, step)
  expect(filesIn(at(isBackup ? 'cut' : 'restored')).filter((name) => name.includes('sqlite'))).toEqual([])
  expect(await (isBackup ? backup('cut') : restore())).toMatchObject(isBackup ? { orders: 2 } : { lostCustomers: 0 })
})

it.for<[string, () => void, RegExp]>([
  ['a log that was never finished', () => unfinish('log', EVENTS_FILE), /events.sqlite is missing: take a folder/],
  ['a vault that was never finished', () => unfinish('vault', VAULT_FILE), /vault.sqlite is missing: take a folder/],
  ['a changed log', () => flip(log(EVENTS_FILE), '"quantityM":1,'), /is not whole .*another copy of the log/],
  ['a changed vault', () => flip(vault(VAULT_FILE), '$argon2id$'), /another copy of the vault|restore a backup/],
  ['an index without an entry', () => loseIndexEntry(vault(VAULT_FILE)), /is damaged .*another copy of the vault/],
  ['a log cut short', () => truncateSync(log(EVENTS_FILE), 12_000), /is damaged .*another copy of the log/],
  [
    'a log that is none',
    () => writeFileSync(log(EVENTS_FILE), 'x'),
    /has no event of a shop: take another copy of the log/,
  ],
  ['a shop that is there', () => writeFileSync(at('restored', EVENTS_FILE), 'x'), /not empty \(events.sqlite\): move/],
  ['a write-ahead log', () => writeFileSync(at('restored', `${EVENTS_FILE}-wal`), 'x'), /not empty .*move away/],
])('restore rejects %s and does not change DATA_DIR', async ([, damage, reason]) => {
  mkdirSync(at('restored'))
  damage()
  const before = filesIn(at('restored'))
  await expect(restore()).rejects.toThrow(reason)
  expect(filesIn(at('restored'))).toEqual(before)
})

it('restore rejects copies of two shops and swapped folders', async () => {
  await expect(restore({ vault: 'others' })).rejects.toThrow(/two different shops: take another copy of the vault/)
  const mixed = { from: at('today', 'vault'), vaultFrom: at('today', 'log'), mayLoseCustomers: false }
  const config = parseConfig({ DATA_DIR: at('restored') })
  await expect(restoreCopy(config, mixed, () => undefined)).rejects.toThrow(/events.sqlite is missing: take a folder/)
  expect(filesIn(at('restored'))).toEqual([])
})

it('restore accepts an older log with a newer vault and says how much is lost', async () => {
  expect((await restore({ log: 'yesterday' })).lostEvents).toBeGreaterThan(0)
  const lost = await during(at('data'), async (shop) => numberOf(shop, bertsId))
  await during(at('restored'), async (shop) => {
    expect(await listed(shop)).toHaveLength(1)
    expect(await numberOf(shop, await order(shop, 'carl@example.test'))).not.toBe(lost)
  })
})

it('restore rejects an older vault unless lost customers are accepted', async () => {
  const older = { vault: 'yesterday' }
  await expect(restore(older)).rejects.toThrow(/does not know the buyer .* add --accept-lost-customers/)
  expect(filesIn(at('restored'))).toEqual([])
  expect(await restore({ ...older, mayLoseCustomers: true })).toMatchObject({ lostCustomers: 1 })
  await during(at('restored'), async (shop) => expect(await buyerOf(shop, bertsId)).toBe('erased'))
})

it('restore does not bring back a customer who was erased before the backup', async () => {
  const orderId = await during(at('data'), async (shop) => {
    const id = await order(shop, 'dora@example.test')
    await complete(shop, id)
    const env = { DATA_DIR: at('data') }
    expect(await runShop(['admin', 'erase'], env, 'dora@example.test\nyes\n')).toMatchObject({ code: 0 })
    return id
  })
  await backup('copy')
  await restore({ log: 'copy', vault: 'copy' })
  await during(at('restored'), async (shop) => {
    expect(await listed(shop)).toContain(orderId)
    expect(await buyerOf(shop, orderId)).toBe('erased')
  })
})

it('the first start after a restore records the lost events once', async () => {
  await restore()
  expect(filesIn(at('restored'))).toEqual([EVENTS_FILE, VAULT_FILE])
  for (let start = 0; start < 2; start += 1)
    await during(at('restored'), async (shop) => {
      expect(await listed(shop)).toContain(bertsId)
      const events = await allEvents(shop.engines.log)
      expect(events.filter(({ type }) => type === 'LostEventsAccepted')).toHaveLength(1)
    })
})

describeUnless(notSet('MONGODB_URL'), 'with views in MongoDB', () => {
  it('views in MongoDB that know more than the restored log are built again', async () => {
    const place = await provisionWith({ MONGODB_URL: process.env['MONGODB_URL'] ?? '' })
    onTestFinished(() => place.remove())
    const { DATA_DIR = '', ...engines } = place.env
    const kept = await during(DATA_DIR, async (shop) => order(shop, ANNA), engines)
    await backup('copy', place.env)
    await during(
      DATA_DIR,
      async (shop) => {
        await order(shop, BERT)
        expect(await listed(shop)).toHaveLength(2)
      },
      engines,
    )
    expect((await restore({ log: 'copy', vault: 'copy' }, engines)).lostEvents).toBeGreaterThan(0)
    await during(at('restored'), async (shop) => expect(await listed(shop)).toEqual([kept]), engines)
  })
})

describe('with a vault on a server', () => {
  const env = { VAULT_URL: 'mongodb://127.0.0.1:1/vault' }

  it('backup and restore of a vault on a server name its own tool', async () => {
    const config = parseConfig({ DATA_DIR: at('data'), ...env })
    const folders = { to: at('a'), vaultTo: at('b') }
    await expect(backUp(config, folders, () => undefined)).rejects.toThrow(/leave it out, use mongodump/)
    const copies = { from: at('today', 'log'), vaultFrom: at('today', 'vault'), mayLoseCustomers: false }
    await expect(restoreCopy(config, copies, () => undefined)).rejects.toThrow(/leave it out, use mongorestore/)
  })

  describeUnless(notSet('VAULT_URL'), 'that is there', () => {
    it('with a vault on a server only the log is copied and restored', async () => {
      const url = { VAULT_URL: process.env['VAULT_URL'] ?? '' }
      const [place, empty] = [await provisionWith(url), await provisionWith(url)]
      onTestFinished(async () => void (await Promise.all([place.remove(), empty.remove()])))
      const { DATA_DIR = '', ...engines } = place.env
      const orderId = await during(DATA_DIR, async (shop) => order(shop, ANNA), engines)
      expect(await command('backup', ['--to', at('copy', 'log')], place.env)).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^[^\n]+ mongodump --uri "\$VAULT_URL" [^\n]+\n$/),
        stderr: '',
      })
      await expect(restore({ log: 'copy' }, { VAULT_URL: empty.env['VAULT_URL'] ?? '' })).rejects.toThrow(
        /is empty: put it back first \(mongorestore --uri "\$VAULT_URL" --drop/,
      )
      await restore({ log: 'copy' }, engines)
      expect(filesIn(at('restored'))).toEqual([EVENTS_FILE])
      await during(
        at('restored'),
        async (shop) => expect(await buyerOf(shop, orderId)).toMatchObject({ customerEmail: ANNA }),
        engines,
      )
    })
  })
})

function unfinish(part: 'log' | 'vault', name: string): void {
  renameSync(at('today', part, name), at('today', part, `${name}.unfinished`))
}

function put(from: string, name: string): void {
  cpSync(at(from, name), at('data', name))
}

/** Damages an index entry, which is stored after its row. */
function loseIndexEntry(file: string): void {
  const database = new DatabaseSync(file)
  const hmac = String(database.prepare('SELECT alias FROM vault WHERE alias IS NOT NULL').get()?.['alias'])
  database.close()
  const bytes = readFileSync(file)
  const place = bytes.lastIndexOf(hmac)
  expect(place).not.toBe(bytes.indexOf(hmac))
  bytes[place] = (bytes[place] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

/** Flips a bit of the first occurrence of a text. */
function flip(file: string, text: string): void {
  const bytes = readFileSync(file)
  const place = bytes.indexOf(text)
  expect(place).toBeGreaterThan(0)
  bytes[place] = (bytes[place] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

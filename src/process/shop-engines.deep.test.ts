import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { vaultIdOf } from '../commands/bind-vault.ts'
import { hotStates } from '../shop/hot/hot-states.ts'
import { shopKeys } from '../shop/keys.ts'
import { systemCaller } from '../shop/command-context.ts'
import { parseConfig } from '../config.ts'
import { openShopEngines } from './shop-engines.ts'
import { EVENTS_FILE, VAULT_FILE, VIEWS_FOLDER } from '../engines/open-engines.ts'
import { orderStream } from '../domain/stream-names.ts'
import { eventLog } from '../log/event-log.ts'
import { sqliteEventStore } from '../engines/event-store/sqlite-event-store.ts'
import type { RunningShop } from './run-shop.ts'
import { systemClock, systemRandom } from './system.ts'
import { allEvents } from '../testing/audit-books.ts'
import { complete, during, listed, numberOf, order, runIn, viewFiles } from '../testing/shop-folder.ts'
import { ask, asOwner } from '../testing/buyers.ts'
import { startShopProcess } from '../testing/shop-process.ts'
import { copyOf, suiteFolder, testFolder } from '../ports/testing/test-folder.ts'
import { sqliteVault } from '../engines/vault/sqlite-vault.ts'

/** A shop that was closed in order, with one completed and one open order. */
const one = suiteFolder()
const other = suiteFolder()
let folder: string
let completedId: string

beforeAll(async () => {
  for (const [place, email] of [
    [one, 'anna@example.test'],
    [other, 'otto@example.test'],
  ] as const)
    await during(place, async (shop) => {
      const id = await order(shop, email)
      await complete(shop, id)
      if (place === one) completedId = id
      await order(shop, email)
      await listed(shop)
    })
})

beforeEach(() => {
  folder = copyOf(one)
})

const SHOP = fileURLToPath(new URL('../cli/shop.ts', import.meta.url))

const fileOf = (name: string, place = folder): string => join(place, name)

/** The one line that a start ends with, naming a file; what it says is the way out. */
async function expectNoStart(named: string, wayOut: RegExp, { changesNothing = true } = {}): Promise<void> {
  const before = readdirSync(folder).toSorted()
  const error: unknown = await runIn(folder).then(
    async (shop) => shop.stop(),
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(Error)
  const { message } = error as Error
  expect(message).toContain(named)
  expect(message).toMatch(wayOut)
  expect(message).not.toContain('\n')
  if (changesNothing) expect(readdirSync(folder).toSorted()).toEqual(before)
}

async function buyer({ engines }: RunningShop, orderId: string): Promise<unknown> {
  const events = await engines.log.readStream(orderStream(orderId))
  return [...(await engines.log.openPersonal(events)).values()][0]
}

it('a restarted shop has everything, and is opened once', async () => {
  await during(folder, async (shop) => {
    expect(await buyer(shop, completedId)).toMatchObject({ customerEmail: 'anna@example.test' })
    expect(await listed(shop)).toHaveLength(2)
    const opened = (await allEvents(shop.engines.log)).filter(({ type }) => type === 'ShopOpened')
    expect(opened).toMatchObject([{ position: '00000000000000000001' }])
  })
})

it('a start binds log and vault if an earlier release has not', async () => {
  const fresh = testFolder()
  const vault = sqliteVault(fileOf(VAULT_FILE, fresh))
  const store = sqliteEventStore(fileOf(EVENTS_FILE, fresh))
  const log = eventLog({ store, vault, sleep: systemClock.sleep })
  const keys = await shopKeys(vault, (count) => systemRandom.bytes(count))
  const hot = hotStates({ log, clock: systemClock, random: systemRandom })
  await hot.changeStock(
    { type: 'OpenInventory', quantityM: 7, at: new Date().toISOString() },
    systemCaller(systemRandom),
  )
  await Promise.all([store.close(), vault.close()])
  await during(fresh, async (shop) => {
    expect(await shop.engines.log.readStream('shop-main')).toMatchObject([{ data: { vaultId: vaultIdOf(keys) } }])
    expect(shop.context.hot.inventory.state.freeM).toBe(7)
  })
})

it('three processes that start a new shop at the same moment make one shop', { timeout: 60_000 }, async () => {
  const fresh = testFolder()
  const env = { DATA_DIR: fresh, ADMIN_PASSWORD: 'a long password for the test' }
  const started = await Promise.allSettled([1, 2, 3].map(async () => startShopProcess(env)))
  const shops = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  onTestFinished(async () => {
    for (const shop of shops) await shop.kill()
  })
  expect(shops).toHaveLength(3)
  for (const shop of shops) expect(await shop.stop()).toBe(0)
  await during(fresh, async (shop) => {
    const events = await allEvents(shop.engines.log)
    for (const type of ['ShopOpened', 'StockSet', 'SettingsChanged', 'AdminPasswordSet'])
      expect(events.filter((event) => event.type === type)).toHaveLength(1)
  })
})

it('a shop does not start without its vault', async () => {
  rmSync(fileOf(VAULT_FILE))
  await expectNoStart(VAULT_FILE, /is missing.*put the vault back/)
})

it('a shop does not start without its log', async () => {
  rmSync(fileOf(EVENTS_FILE))
  await expectNoStart(EVENTS_FILE, /is missing or empty.*put the log back.*new shop/)
})

it.each([EVENTS_FILE, VAULT_FILE])('a shop does not start with an empty %s', async (name) => {
  truncateSync(fileOf(name))
  const error: unknown = await runIn(folder).catch((error: unknown) => error)
  expect(error).toMatchObject({ message: expect.stringMatching(/put .* back/) })
  expect(String(error)).toContain(fileOf(name))
})

it('a shop does not start with the vault of another', async () => {
  copyFileSync(fileOf(VAULT_FILE, other), fileOf(VAULT_FILE))
  await expectNoStart(VAULT_FILE, /two different shops.*put back the vault that belongs to this log/)
})

it('a shop does not start with the log of another', async () => {
  copyFileSync(fileOf(EVENTS_FILE, other), fileOf(EVENTS_FILE))
  await expectNoStart(EVENTS_FILE, /two different shops/)
})

it('views of another shop are dropped and built again', async () => {
  const own = await during(folder, listed)
  rmSync(fileOf(VIEWS_FOLDER), { recursive: true })
  cpSync(fileOf(VIEWS_FOLDER, other), fileOf(VIEWS_FOLDER), { recursive: true })
  expect(await during(folder, listed)).toEqual(own)
  for (const file of viewFiles(folder, 'people'))
    expect(readFileSync(fileOf(file)).includes('otto@example.test')).toBe(false)
})

const lost = /ends at position \d+, but vault or views know of position \d+.*accept-loss/

it('a shop with an older copy of the log starts only after the loss is accepted, and reuses no order number', async () => {
  const first = await during(folder, async (shop) => {
    const id = await order(shop, 'bert@example.test')
    await listed(shop)
    return numberOf(shop, id)
  })
  copyFileSync(fileOf(EVENTS_FILE, one), fileOf(EVENTS_FILE))
  await expectNoStart(EVENTS_FILE, lost)
  await acceptLostEvents()
  await expect(acceptLostEvents('no\n')).rejects.toThrow(/Nothing was changed/)
  await during(folder, async (shop) => {
    const before = await listed(shop)
    expect(before).toHaveLength(2)
    const orderId = await order(shop, 'carl@example.test')
    expect(await listed(shop)).toEqual([orderId, ...before])
    expect(await numberOf(shop, orderId)).not.toBe(first)
    const accepted = (await allEvents(shop.engines.log)).filter(({ type }) => type === 'LostEventsAccepted')
    expect(accepted).toHaveLength(1)
  })
})

it('views reveal older copies of log and vault', async () => {
  await during(folder, async (shop) => {
    await order(shop, 'bert@example.test')
    await listed(shop)
  })
  for (const name of [EVENTS_FILE, VAULT_FILE]) copyFileSync(fileOf(name, one), fileOf(name))
  await expectNoStart(EVENTS_FILE, lost)
  await acceptLostEvents()
  await during(folder, async (shop) => expect(await listed(shop)).toHaveLength(2))
})

it('the vault reveals an older copy of the log without views', async () => {
  await during(folder, async (shop) => order(shop, 'bert@example.test'))
  copyFileSync(fileOf(EVENTS_FILE, one), fileOf(EVENTS_FILE))
  rmSync(fileOf(VIEWS_FOLDER), { recursive: true })
  // Views are opened to be asked, too.
  await expectNoStart(EVENTS_FILE, lost, { changesNothing: false })
})

it('the vault reveals that a flipped bit has cut the newest events', async () => {
  const copy = await during(folder, async (shop) => {
    const orderId = await order(shop, 'bert@example.test')
    const { log, vault } = shop.engines
    await expect.poll(async () => vault.readMark('log-head'), { timeout: 20_000 }).toBe(await log.head())
    return { place: copyOf(folder), orderId }
  })
  folder = copy.place
  flip(`${EVENTS_FILE}-wal`, copy.orderId)
  // SQLite drops what it takes for the rest of an older log.
  await expectNoStart(EVENTS_FILE, lost, { changesNothing: false })
})

it('a shop does not start when an older vault lacks the buyer of an open order', async () => {
  await during(folder, async (shop) => order(shop, 'bert@example.test'))
  copyFileSync(fileOf(VAULT_FILE, one), fileOf(VAULT_FILE))
  await expectNoStart('does not know the buyer of order', /older copy.*put the newest copy of the vault back/)
})

it('a start deletes erased customers that an older vault brings back', async () => {
  const orderId = await during(folder, async (shop) => {
    const id = await order(shop, 'bert@example.test')
    await complete(shop, id)
    return id
  })
  const older = copyOf(folder)
  await during(folder, async (shop) => {
    const { url = '' } = shop
    await listed(shop)
    const asked = { body: { email: 'bert@example.test' }, headers: await asOwner(url) }
    expect((await ask(url, 'POST', '/api/admin/erase-customer', asked)).status).toBe(200)
  })
  copyFileSync(fileOf(VAULT_FILE, older), fileOf(VAULT_FILE))
  await during(folder, async (shop) => expect(await buyer(shop, orderId)).toBe('erased'))
})

it('a shop does not start with a log that was cut anywhere', { timeout: 60_000 }, async () => {
  const whole = readFileSync(fileOf(EVENTS_FILE))
  for (const bytes of [100, 4_096, 4_097, 20_480, whole.length - 4_096, whole.length - 1]) {
    writeFileSync(fileOf(EVENTS_FILE), whole.subarray(0, bytes))
    await expectNoStart(EVENTS_FILE, /[Rr]estore the newest backup/)
  }
})

it('a shop does not start with a damaged event of the stock', async () => {
  flip(EVENTS_FILE, '"quantityM":1000,')
  await expectNoStart(EVENTS_FILE, /is not what was written.*restore the newest backup/)
})

async function acceptLostEvents(answer = 'yes\n'): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder }
  const running = promisify(execFile)(process.execPath, [SHOP, 'admin', 'accept-loss'], { env })
  running.child.stdin?.end(answer)
  await running
}

/** One bit of the last place where this text stands. */
function flip(name: string, text: string): void {
  const bytes = readFileSync(fileOf(name))
  const at = bytes.lastIndexOf(text)
  expect(at).toBeGreaterThan(0)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(fileOf(name), bytes)
}

it('nothing is created while the clock is not set', async () => {
  const empty = join(folder, 'empty')
  vi.useFakeTimers({ toFake: ['Date'], now: 12_000 })
  onTestFinished(() => void vi.useRealTimers())
  await expect(openShopEngines(parseConfig({ DATA_DIR: empty }))).rejects.toThrow(
    "this machine's clock says 1970-01-01T00:00:12.000Z, which is past: set it by a time server",
  )
  expect(readdirSync(folder)).not.toContain('empty')
})

import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { parseConfig } from '../config.ts'
import { openShopEngines } from '../process/shop-engines.ts'
import { VAULT_FILE } from '../engines/open-engines.ts'
import { openLogStore } from '../log/open-log-store.ts'
import {
  AppendAmbiguous,
  type EventStore,
  EventStoreAway,
  START,
  type StoredEvent,
} from '../engines/event-store/event-store.ts'
import type { EventStoreDBDouble } from '../engines/event-store/testing/eventstoredb-double.ts'
import { doubleOfTest } from '../engines/event-store/testing/eventstoredb-server.ts'
import { memoryEventStore } from '../engines/event-store/testing/memory-event-store.ts'
import type { RunningShop } from '../process/run-shop.ts'
import { namedLog, nameLog } from '../shop/log-head.ts'
import { complete, during, order } from '../testing/shop-folder.ts'
import { copyOf, testFolder } from '../ports/testing/test-folder.ts'
import type { Vault } from '../engines/vault/vault.ts'
import { memoryVault } from '../engines/vault/testing/memory-vault.ts'
import { type Move, moveLog } from './log/move-log.ts'
import { runHere, runShop } from './testing/run-cli.ts'

let folder: string
let other: string
let double: EventStoreDBDouble

beforeEach(async () => {
  folder = testFolder()
  other = testFolder()
  double = await doubleOfTest({ file: join(other, 'server') })
})

const run = async (env: Record<string, string>, ...words: string[]) =>
  runHere(['log', ...words], { DATA_DIR: folder, ...env })

/** Sells an order in the shop whose log has this address. */
async function sold(buyer: string, EVENTSTOREDB_URL: string): Promise<void> {
  const work = async (shop: RunningShop) => complete(shop, await order(shop, `${buyer}@example.test`))
  await during(folder, work, { EVENTSTOREDB_URL })
}

async function eventsAt(env: Record<string, string>): Promise<Omit<StoredEvent, 'position'>[]> {
  const store = await openLogStore(parseConfig(env), { isReadOnly: true })
  try {
    const events = await store.readAll({ after: START, limit: 10_000 })
    return events.map(({ position: _position, ...event }) => event)
  } finally {
    await store.close()
  }
}

/** A few streams, with appends of one to three events. */
async function filled(): Promise<EventStore> {
  const store = memoryEventStore()
  const revisions = new Map<string, number>()
  for (let index = 0; index < 40; index += 1) {
    const stream = `order-${index % 7}`
    const revision = revisions.get(stream) ?? -1
    const events = Array.from({ length: 1 + (index % 3) }, (_, place) => ({
      id: `00000000-0000-4000-8000-${String(index * 10 + place).padStart(12, '0')}`,
      type: 'OrderPlaced',
      version: 1,
      data: `{"index":${index}}`,
      metadata: '{}',
    }))
    await store.append(stream, revision, events)
    revisions.set(stream, revision + events.length)
  }
  return store
}

function target() {
  let time = 0
  return { to: memoryEventStore({ now: () => time }), setTime: (at: number) => void (time = at) }
}

async function vaultNaming(log: EventStore): Promise<Vault> {
  const vault = memoryVault()
  await nameLog(vault, await log.identity())
  return vault
}

/** Options of a move without progress. */
const unseen: Pick<Move, 'eventsTotal' | 'show'> = {
  eventsTotal: undefined,
  show: () => undefined,
}

const matching = (text: RegExp): string => expect.stringMatching(text) as string

const texts = async (store: EventStore): Promise<string[]> =>
  (await store.readAll({ after: START, limit: 1_000 })).map(({ id, stream, revision }) => `${stream} ${revision} ${id}`)

it('log copy moves a shop into EventStoreDB and back, and the old log no longer opens', async () => {
  await during(folder, async (shop) => {
    for (const name of ['anna', 'ben', 'cleo']) await complete(shop, await order(shop, `${name}@example.test`))
  })
  const atServer = { DATA_DIR: folder, EVENTSTOREDB_URL: double.url }
  const before = await eventsAt({ DATA_DIR: folder })
  expect(await run({}, 'copy', '--to', double.url)).toMatchObject({ code: 0, stdout: matching(/each as it was/) })
  expect(await eventsAt(atServer)).toEqual(before)
  await expect(openShopEngines(parseConfig({ DATA_DIR: folder }))).rejects.toThrow(
    /is not the log that .*vault.sqlite names/,
  )

  await sold('dora', double.url)
  const grown = await eventsAt(atServer)
  expect(grown.length).toBeGreaterThan(before.length)

  const back = join(other, 'back')
  expect(await run(atServer, 'copy', '--to', back)).toMatchObject({ code: 0 })
  expect(await eventsAt({ DATA_DIR: back })).toEqual(grown)
  await expect(openShopEngines(parseConfig(atServer))).rejects.toThrow(/EVENTSTOREDB_URL is not the log that/)
  copyFileSync(join(folder, VAULT_FILE), join(back, VAULT_FILE))
  await during(back, async (returned) => complete(returned, await order(returned, 'emil@example.test')))
}, 120_000)

it('log copy moves a log made by seed that no start has opened', async () => {
  expect(await runHere(['seed', '--orders', '20'], { DATA_DIR: folder })).toMatchObject({ code: 0 })
  const events = await eventsAt({ DATA_DIR: folder })
  const said = matching(
    new RegExp(`: ${events.length} events in about 1 minute\\. If it is stopped, run it again[^]*each as it was`),
  )
  expect(await run({}, 'copy', '--to', double.url)).toMatchObject({ code: 0, stdout: said })
  await during(folder, async () => undefined, { EVENTSTOREDB_URL: double.url })
}, 120_000)

it('log copy renames a log on its server', async () => {
  const [from, to] = ['/a', '/b'].map((name) => double.url.replace('?', `${name}?`)) as [string, string]
  await sold('anna', from)
  const env = { DATA_DIR: folder, EVENTSTOREDB_URL: from }
  const before = await eventsAt(env)
  const older = copyOf(folder)
  expect(await run(env, 'copy', '--to', from)).toMatchObject({ code: 2, stderr: matching(/names the log itself/) })
  expect(await run(env, 'copy', '--to', to)).toMatchObject({ code: 0, stdout: matching(/esdb:\/\/[\d.:]+\/b,/) })
  expect(await eventsAt({ ...env, EVENTSTOREDB_URL: to })).toEqual(before)
  await sold('ben', to)
  await expect(openShopEngines(parseConfig(env))).rejects.toThrow(/is not the log that/)
  const looked = await runHere(['verify'], env)
  expect(looked).toMatchObject({ code: 1, stdout: matching(/^must {2}log: it is not the log that the vault names/m) })

  copyFileSync(join(older, VAULT_FILE), join(folder, VAULT_FILE))
  await expect(sold('cleo', to)).rejects.toThrow(/is not the log that/)
  await runShop(['admin', 'accept-loss'], { ...env, EVENTSTOREDB_URL: to }, 'yes\n')
  await sold('cleo', to)
}, 120_000)

it('log copy rejects a target that is not empty', async () => {
  await during(folder, async (shop) => order(shop, 'anna@example.test'))
  const foreign = join(other, 'foreign')
  await during(foreign, async (shop) => order(shop, 'ben@example.test'))
  expect(await run({}, 'copy', '--to', foreign)).toMatchObject({ code: 1, stderr: matching(/holds another log/) })
  expect(await run({}, 'copy', '--to', folder)).toMatchObject({ code: 2, stderr: matching(/names the log itself/) })
  expect(await run({}, 'copy', '--to', 'http://127.0.0.1:1')).toMatchObject({ code: 2, stderr: matching(/esdb/) })
  expect(await run({}, 'copy')).toMatchObject({ code: 2, stderr: matching(/--to/) })
  for (const place of [folder, foreign]) await during(place, async (shop) => order(shop, 'cleo@example.test'))
}, 120_000)

it('a repeated move leaves a complete log without duplicates, whichever calls failed before', async () => {
  const cut = fc.record({ call: fc.nat({ max: 80 }), isWritten: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { maxLength: 4 }), async (cuts) => {
      const from = await filled()
      const { to, setTime } = target()
      const vault = await vaultNaming(from)
      for (const { call: failing, isWritten } of cuts) {
        let calls = 0
        const made = async <T>(call: () => Promise<T>): Promise<T> => {
          calls += 1
          if (calls <= failing) return call()
          if (isWritten) await call()
          throw isWritten ? new AppendAmbiguous('no answer') : new EventStoreAway('away')
        }
        const cutOff = (store: EventStore): EventStore => ({
          ...store,
          append: async (...given) => made(async () => store.append(...given)),
          readAll: async (page) => made(async () => store.readAll(page)),
        })
        const cutOffVault: Vault = {
          ...vault,
          setMark: async (...given) => made(async () => vault.setMark(...given)),
        }
        await moveLog({ ...unseen, from: cutOff(from), to: cutOff(to), vault: cutOffVault, setTime }).catch(
          (error: unknown) => expect(String(error)).toMatch(/no answer|away/),
        )
        // A shop would start on a log that its vault names.
        if ((await namedLog(vault)) === (await to.identity())) expect(await texts(to)).toEqual(await texts(from))
      }
      await moveLog({ ...unseen, from, to, vault, setTime })
      expect(await texts(to)).toEqual(await texts(from))
      expect(await namedLog(vault)).toBe(await to.identity())
    }),
    { numRuns: 60 },
  )
})

it('moving a log reports how many events it has copied', async () => {
  const from = await filled()
  const { to, setTime } = target()
  const shown: string[] = []
  const events = (await texts(from)).length
  const vault = await vaultNaming(from)
  await moveLog({ ...unseen, from, to, vault, setTime, eventsTotal: events, show: (text) => shown.push(text) })
  expect(shown).toContain(`copied: 1 of ${events} events, ${events - 1} left`)
  expect(shown.at(-1)).toBe(`compared: ${events} of ${events} events, 0 left`)
})

it('moving a log fails while the shop writes', async () => {
  const from = await filled()
  const { to, setTime } = target()
  const [first] = await from.readAll({ after: START, limit: 1 })
  const late = { ...first, id: '00000000-0000-4000-8000-00000000ffff', type: 'OrderCancelled' } as StoredEvent
  const vault = await vaultNaming(from)
  const setMark: Vault['setMark'] = async (...given) => {
    if (given[1] === (await to.identity())) await from.append('order-9', -1, [late])
    return vault.setMark(...given)
  }
  const moving = moveLog({ ...unseen, from, to, vault: { ...vault, setMark }, setTime })
  await expect(moving).rejects.toThrow('stop every process')
  expect(await namedLog(vault)).toBe(await from.identity())
})

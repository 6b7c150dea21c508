import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '../mongodb/testing/databases.ts'
import { ordersProjection } from '../projections/orders.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { currentBuild } from '../projector/builds.ts'
import type { RunningShop } from '../run-shop.ts'
import { describeUnless } from '../testing/describe-unless.ts'
import { notSet } from '../testing/missing.ts'
import { newFolder, order, removeFolder, runIn } from '../testing/shop-folder.ts'
import type { ListedView } from './views/list.ts'
import { runScript } from './testing/run-script.ts'

const NAMES = shopProjections({ timeZone: 'UTC' }).map(({ name }) => name)
const mongodbUrl = process.env['MONGODB_URL']
const READS_MIN = 6
const READS_AGAIN_MAX = 20

let folder: string
let env: Record<string, string>

beforeEach(() => {
  folder = newFolder()
  env = {}
})

afterEach(() => removeFolder(folder))

const views = async (...words: string[]) => runScript('views', words, { DATA_DIR: folder, ...env })

async function listed(): Promise<ListedView[]> {
  const { stdout } = await views('list', '--json')
  return JSON.parse(stdout) as ListedView[]
}

async function numbers(): Promise<(number | undefined)[]> {
  return (await listed()).map(({ builds }) => builds.find(({ is }) => is === 'current')?.number)
}

/** A running shop whose views have been built. */
async function served(): Promise<RunningShop> {
  const shop = await runIn(folder, env)
  await expect.poll(async () => (await fetch(`${shop.url}/readyz`)).status, { timeout: 60_000 }).toBe(200)
  return shop
}

/** As staff read it who have seen the log up to here. */
async function reader({ url }: RunningShop) {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ email: 'owner@localhost', password: 'a long password for the test' })
  const answer = await fetch(`${url}/api/admin/login`, { method: 'POST', headers, body })
  const { token } = (await answer.json()) as { token: string }
  return async (position: string): Promise<{ status: number; text: string }> => {
    const asked = { Authorization: `Bearer ${token}`, 'X-Position': position }
    const read = await fetch(`${url}/api/orders`, { headers: asked })
    return { status: read.status, text: await read.text() }
  }
}

async function untilShown(shop: RunningShop, id: string): Promise<void> {
  const read = await reader(shop)
  const head = await shop.engines.log.head()
  await expect.poll(async () => (await read(head)).text, { timeout: 30_000 }).toContain(id)
}

/** Sells and reads until the work is done; answers what reads failed or lacked. */
async function sellingDuring(
  shop: RunningShop,
  work: () => Promise<unknown>,
): Promise<{ reads: number; wrong: string[] }> {
  const read = await reader(shop)
  const wrong: string[] = []
  const done = new AbortController()
  let reads = 0
  const working = work().finally(() => done.abort())
  while (!done.signal.aborted || reads < READS_MIN) {
    const id = await order(shop, `buyer-${reads}@example.test`)
    const head = await shop.engines.log.head()
    let { status, text } = await read(head)
    // As a browser does, whose own order is not in the list within a second.
    for (let again = 0; again < READS_AGAIN_MAX && text.includes('view/behind'); again += 1)
      ({ status, text } = await read(head))
    if (status !== 200 || !text.includes(id)) wrong.push(`${status} ${text.slice(0, 200)}`)
    reads += 1
  }
  await working
  return { reads, wrong }
}

/** As a fold leaves it that an event has broken. */
async function setAside({ engines: { views: store } }: RunningShop, id: string): Promise<void> {
  const { collection } = await currentBuild(store, ordersProjection)
  await store.open(collection)
  const found = (await store.load(collection, [id])).get(id)
  if (!found) throw new Error(`${id} is not there`)
  const { position } = found
  const broken = { position, reason: 'made so by the test' }
  await store.write([{ collection, documents: [{ ...found, over: position, fields: {}, broken }] }])
}

const engines = [
  { name: 'SQLite', unless: undefined, database: undefined },
  { name: 'MongoDB', unless: notSet('MONGODB_URL'), database: mongodbUrl },
]

for (const { name, unless, database } of engines)
  describeUnless(unless, `npm run views, on ${name}`, () => {
    beforeEach(() => {
      if (database === undefined) return undefined
      const views = testDatabase(database)
      env = { MONGODB_URL: views.url }
      return async () => views.drop()
    })

    it(
      'builds every view anew while the shop sells: no read fails, none lacks what was seen',
      { timeout: 120_000 },
      async () => {
        const shop = await served()
        try {
          await order(shop, 'anna@example.test')
          const { reads, wrong } = await sellingDuring(shop, async () => {
            expect(await views('rebuild', 'all')).toMatchObject({
              code: 0,
              stdout: expect.stringMatching(/built anew/),
            })
          })
          expect(wrong).toEqual([])
          expect(await numbers()).toEqual(NAMES.map(() => 2))
          const [orders] = await listed()
          expect(orders).toMatchObject({ name: 'orders', isServing: true, documents: reads + 1, setAside: 0 })
          expect(orders?.builds.map(({ is }) => is)).toEqual(['current', 'former'])
          expect((await views('drop', 'orders')).stdout).toMatch(/^orders: dropped version \d+ build 1 \(former\)\n$/)
          expect((await listed())[0]?.builds).toHaveLength(1)
        } finally {
          await shop.stop()
        }
      },
    )

    it('folds again what was set aside, without a running shop too', { timeout: 120_000 }, async () => {
      const shop = await served()
      const id = await order(shop, 'anna@example.test')
      await untilShown(shop, id)
      await setAside(shop, id)
      await shop.stop()
      expect((await listed()).map(({ setAside }) => setAside)).toEqual([1, 0, 0, 0, 0, 0])
      expect(await views('retry')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^orders: built anew/) })
      expect((await listed()).map(({ setAside }) => setAside)).toEqual([0, 0, 0, 0, 0, 0])
      expect(await views('retry')).toMatchObject({ code: 0, stdout: 'no document is set aside\n' })
    })

    it('drops the build that serves only where that is said, and it is built again', { timeout: 120_000 }, async () => {
      const shop = await served()
      try {
        const id = await order(shop, 'anna@example.test')
        await untilShown(shop, id)
        const read = await reader(shop)
        expect((await views('drop', 'orders')).stdout).toBe('orders: nothing stands that does not serve\n')
        const dropped = await views('drop', 'orders', '--yes')
        expect(dropped).toMatchObject({ code: 0, stdout: expect.stringMatching(/lists answer 503/) })
        await expect.poll(async () => (await read('')).text, { timeout: 30_000 }).toContain(id)
        expect((await listed())[0]).toMatchObject({ isServing: true, documents: 1 })
      } finally {
        await shop.stop()
      }
    })
  })

describe('npm run views', () => {
  it('refuses what is no view, and settings that are not the shop’s, in one line', { timeout: 60_000 }, async () => {
    await (await served()).stop()
    expect(await views('rebuild', 'order')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^no view 'order': orders, .*\n$/),
    })
    expect(await views('rebuild')).toMatchObject({ code: 2, stderr: expect.stringMatching(/^NAME is missing.*\n$/) })
    env = { SHOP_TIME_ZONE: 'Europe/Berlin' }
    expect(await views('rebuild', 'analytics')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^analytics was built with another SHOP_TIME_ZONE.*\n$/),
    })
  })
})

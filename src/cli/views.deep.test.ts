import { beforeEach, expect, it } from 'vitest'
import { databaseOfTest } from '../engines/mongodb/testing/databases.ts'
import type { RunningShop } from '../process/run-shop.ts'
import { ask, asOwner } from '../testing/buyers.ts'
import { wirePositions } from '../api/http/wire-positions.ts'
import { describeUnless } from '../testing/describe-unless.ts'
import { notSet } from '../ports/testing/missing.ts'
import { during, order } from '../testing/shop-folder.ts'
import { testFolder } from '../ports/testing/test-folder.ts'
import { runShop } from './testing/run-cli.ts'

const mongodbUrl = process.env['MONGODB_URL']
const READS_MIN = 6
const READS_AGAIN_MAX = 20
const UP_TO_DATE = /^[0-9a-f]{24}: serves, up to date/

let folder: string
let env: Record<string, string>

beforeEach(() => {
  folder = testFolder()
  env = {}
})

const views = async (...words: string[]) => runShop(['views', ...words], { DATA_DIR: folder, ...env })
const printed = async (): Promise<string[]> => (await views('list')).stdout.split('\n').filter(Boolean)

/** Runs `work` in a shop whose views have been built. */
async function whenServed(work: (shop: RunningShop) => Promise<void>): Promise<void> {
  const served = async (shop: RunningShop): Promise<void> => {
    await expect.poll(async () => (await fetch(`${shop.url}/readyz`)).status, { timeout: 60_000 }).toBe(200)
    await work(shop)
  }
  await during(folder, served, env)
}

/** Reads the list as staff who have seen the log up to a position. */
async function reader({ url = '', engines }: RunningShop) {
  const owner = await asOwner(url)
  const positions = wirePositions(engines.keys.secretFor('position'))
  return async (position: string): Promise<{ status: number; text: string }> => {
    const headers = { ...owner, 'x-position': positions.seal(position) }
    const { status, body } = await ask(url, 'GET', '/api/orders', { headers })
    return { status, text: JSON.stringify(body) }
  }
}

/** Sells and reads until the work is done. Returns the failed reads. */
async function sellingDuring(shop: RunningShop, work: () => Promise<unknown>): Promise<string[]> {
  const read = await reader(shop)
  const wrong: string[] = []
  const done = new AbortController()
  const working = work().finally(() => done.abort())
  for (let reads = 0; !done.signal.aborted || reads < READS_MIN; reads += 1) {
    const id = await order(shop, `buyer-${reads}@example.test`)
    const head = await shop.engines.log.head()
    let { status, text } = await read(head)
    // Browsers, too, retry while their own order is not yet listed.
    for (let again = 0; again < READS_AGAIN_MAX && text.includes('view/behind'); again += 1)
      ({ status, text } = await read(head))
    if (status !== 200 || !text.includes(id)) wrong.push(`${status} ${text.slice(0, 200)}`)
  }
  await working
  return wrong
}

const engines = [
  { name: 'SQLite', unless: undefined, database: undefined },
  { name: 'MongoDB', unless: notSet('MONGODB_URL'), database: mongodbUrl },
]

for (const { name, unless, database } of engines)
  describeUnless(unless, `shop views, on ${name}`, () => {
    beforeEach(() => {
      if (database !== undefined) env = { MONGODB_URL: databaseOfTest(database) }
    })

    it('views rebuild works while the shop sells: no read fails or lacks a seen order', async () => {
      await whenServed(async (shop) => {
        await order(shop, 'anna@example.test')
        const [before] = await printed()
        const wrong = await sellingDuring(shop, async () => {
          expect(await views('rebuild')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^built anew/) })
        })
        expect(wrong).toEqual([])
        // The last orders are folded soon.
        await expect.poll(async () => (await printed())[0], { timeout: 60_000 }).toMatch(UP_TO_DATE)
        const [, former] = await printed()
        expect(former).toMatch(new RegExp(`^${before?.slice(0, 24)}: former`))
      })
    })

    it('views prepare builds the views of another release while the shop is running', async () => {
      await whenServed(async (shop) => {
        await order(shop, 'anna@example.test')
        // Another time zone needs other views, like another release.
        env['SHOP_TIME_ZONE'] = 'Europe/Berlin'
        expect(await views('prepare')).toMatchObject({
          code: 0,
          stdout: expect.stringMatching(/^the views of this release/),
        })
        const lines = await printed()
        expect(lines).toContainEqual(expect.stringMatching(UP_TO_DATE))
        expect(lines).toContainEqual(expect.stringMatching(/^[0-9a-f]{24}: serves, of another release or time zone/))
        const read = await reader(shop)
        expect((await read(await shop.engines.log.head())).status).toBe(200)
      })
      await during(folder, async (shop) => expect((await (await reader(shop))('')).status).toBe(200), env)
    })
  })

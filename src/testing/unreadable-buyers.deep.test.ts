import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { orderList } from '../api/contract/order-list-query.ts'
import type { RunningShop } from '../process/run-shop.ts'
import { ask, asOwner } from './buyers.ts'
import { keptLog } from './kept-log.ts'
import { complete, during, order, runIn } from './shop-folder.ts'
import { copyOf, testFolder } from '../ports/testing/test-folder.ts'
import { VAULT_FILE, VIEWS_FOLDER } from '../engines/open-engines.ts'

const [ANNA, BERT] = ['anna@example.test', 'bert@example.test']
const LOOK = { timeout: 30_000 }

/** The e-mails in the list of orders, as staff see them. */
async function emails({ url = '' }: RunningShop, search = ''): Promise<unknown> {
  const { status, body } = await ask(url, 'GET', `/api/orders${search}`, { headers: await asOwner(url) })
  return status === 200 ? orderList.parse(body).orders.map(({ customerEmail }) => customerEmail) : status
}

async function sold(shop: RunningShop, email: string): Promise<string> {
  const orderId = await order(shop, email)
  await complete(shop, orderId)
  return orderId
}

it(
  'a shop with an older vault serves orders with unknown buyers, erases none, and finds them with the newest vault',
  { timeout: 120_000 },
  async () => {
    const folder = testFolder()
    const putBack = (from: string): void => copyFileSync(join(from, VAULT_FILE), join(folder, VAULT_FILE))
    await during(folder, async (shop) => sold(shop, ANNA))
    const older = copyOf(folder)
    const bertsOrder = await during(folder, async (shop) => sold(shop, BERT))
    const newest = copyOf(folder)
    putBack(older)

    const { lines, logger } = keptLog()
    const shop = await runIn(folder, {}, logger)
    const { url = '' } = shop
    await expect.poll(() => lines.join(''), LOOK).toMatch(/1 order cannot be read: .*newest copy back.*accept-loss/)
    const ready = { status: 200, body: { ready: true, reasons: {} } }
    await expect.poll(async () => ask(url, 'GET', '/readyz'), LOOK).toMatchObject(ready)
    await expect.poll(async () => emails(shop), LOOK).toEqual(['not readable', ANNA])
    expect(await emails(shop, '?search=anna')).toEqual([ANNA])
    const headers = await asOwner(url)
    const words = { customerEmail: 'not readable', discordUsername: 'not readable', marketId: 'not readable' }
    expect((await ask(url, 'GET', `/api/orders/${bertsOrder}`)).body).toMatchObject(words)
    const shown = { ...words, marketIds: [], isMasked: false, isUnreadable: true, totalAmount: '0.05' }
    expect((await ask(url, 'GET', `/api/orders/${bertsOrder}`, { headers })).body).toMatchObject(shown)
    for (const path of ['/api/admin/analytics', '/api/admin/to-deliver'])
      expect(await ask(url, 'GET', path, { headers })).toMatchObject({ status: 200 })
    // The newest vault would still have the person's key.
    for (const email of [ANNA, BERT]) {
      const { status, body } = await ask(url, 'POST', '/api/admin/erase-customer', { headers, body: { email } })
      expect([status, body['code'], body['message']]).toEqual([
        409,
        'customer/some-unreadable',
        expect.stringContaining('1 order cannot be read'),
      ])
    }
    await shop.stop()

    // Views built with the older vault are rebuilt with the newest.
    rmSync(join(folder, VIEWS_FOLDER), { recursive: true, force: true })
    await during(folder, async (again) => {
      await expect.poll(async () => emails(again, '?search=anna'), LOOK).toEqual([ANNA])
      expect(await emails(again, '?search=bert')).toEqual([])
    })
    putBack(newest)
    await during(folder, async (again) => {
      await expect.poll(async () => emails(again, '?search=bert'), LOOK).toEqual([BERT])
    })
  },
)

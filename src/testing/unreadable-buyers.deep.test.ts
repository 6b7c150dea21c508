import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { orderList } from '../api/contract/order-list.ts'
import { order as orderAnswer } from '../api/contract/order.ts'
import { VAULT_FILE, VIEWS_FOLDER } from '../engines.ts'
import type { RunningShop } from '../run-shop.ts'
import { ask, asOwner } from './buyers.ts'
import { keptLog } from './kept-log.ts'
import { complete, during, order, runIn } from './shop-folder.ts'
import { copyOf, testFolder } from './test-folder.ts'

const [ANNA, BERT] = ['anna@example.test', 'bert@example.test']
const LOOK = { timeout: 30_000 }

let folder: string
/** As of before Bert came. */
let older: string
let bertsOrder: string

beforeEach(async () => {
  folder = testFolder()
  await during(folder, async (shop) => complete(shop, await order(shop, ANNA)))
  older = copyOf(folder)
  bertsOrder = await during(folder, async (shop) => {
    const orderId = await order(shop, BERT)
    await complete(shop, orderId)
    return orderId
  })
})

async function asStaff({ url = '' }: RunningShop) {
  const headers = await asOwner(url)
  return {
    get: async (path: string) => ask(url, 'GET', path, { headers }),
    erase: async (email: string) => ask(url, 'POST', '/api/admin/erase-customer', { headers, body: { email } }),
    emails: async (search = '') => {
      const { status, body } = await ask(url, 'GET', `/api/orders${search}`, { headers })
      return status === 200 ? orderList.parse(body).orders.map(({ customerEmail }) => customerEmail) : status
    },
  }
}

function putBack(vault: string): void {
  copyFileSync(join(vault, VAULT_FILE), join(folder, VAULT_FILE))
}

function wipeViews(): void {
  rmSync(join(folder, VIEWS_FOLDER), { recursive: true, force: true })
}

describe('under an older vault', { timeout: 60_000 }, () => {
  let newest: string

  beforeEach(() => {
    newest = copyOf(folder)
    putBack(older)
  })

  it('every page shows an order whose buyer cannot be read, and the others as ever', async () => {
    await during(folder, async (shop) => {
      const { get, emails } = await asStaff(shop)
      await expect.poll(async () => emails(), LOOK).toEqual(['not readable', ANNA])
      const shown = orderAnswer.parse((await get(`/api/orders/${bertsOrder}`)).body)
      expect(shown).toMatchObject({
        customerEmail: 'not readable',
        discordUsername: 'not readable',
        marketId: 'not readable',
        marketIds: [],
        isMasked: false,
        isUnreadable: true,
        totalAmount: '0.05',
      })
      const stranger = await ask(shop.url ?? '', 'GET', `/api/orders/${bertsOrder}`)
      expect(stranger.body).toMatchObject({ customerEmail: 'not readable' })
      expect(await emails('?search=anna')).toEqual([ANNA])
      for (const path of ['/api/admin/analytics', '/api/admin/to-deliver'])
        expect(await get(path)).toMatchObject({ status: 200 })
    })
  })

  it('the shop is ready, and its start says how many there are and what to do', async () => {
    const { lines, logger } = keptLog()
    const shop = await runIn(folder, {}, logger)
    const says = /1 order cannot be read: .*newest copy back.*accept-loss/
    await expect.poll(() => lines.join(''), LOOK).toMatch(says)
    const ready = async () => ask(shop.url ?? '', 'GET', '/readyz')
    await expect.poll(ready, LOOK).toMatchObject({ status: 200, body: { ready: true, reasons: {} } })
    await shop.stop()
  })

  it('no customer is erased, since a newer vault would bring the person back', async () => {
    await during(folder, async (shop) => {
      const { erase } = await asStaff(shop)
      for (const email of [ANNA, BERT])
        expect(await erase(email)).toMatchObject({
          status: 409,
          body: {
            code: 'customer/some-unreadable',
            message: expect.stringContaining('1 order cannot be read') as string,
          },
        })
    })
  })

  it('views are built over it; with the newest vault the person is found again by himself', async () => {
    wipeViews()
    await during(folder, async (shop) => {
      const { emails } = await asStaff(shop)
      await expect.poll(async () => emails('?search=anna'), LOOK).toEqual([ANNA])
      expect(await emails('?search=bert')).toEqual([])
    })
    putBack(newest)
    await during(folder, async (shop) => {
      const { emails } = await asStaff(shop)
      await expect.poll(async () => emails('?search=bert'), LOOK).toEqual([BERT])
    })
  })
})

import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Analytics } from '../api/contract/admin.ts'
import type { BlockList } from '../api/contract/blocks.ts'
import type { OrderList } from '../api/contract/order-list-query.ts'
import type { Order, OrderCreated } from '../api/contract/order.ts'
import { ADMIN_PASSWORD, ask, asOwner } from './buyers.ts'
import { type ShopProcess, startShopProcess } from './shop-process.ts'
import { testFolder } from '../ports/testing/test-folder.ts'

/** Enough to split and move pages of every file. */
const BUYERS = 250
const PRICE = 0.05
const AT_ONCE = 25
const ERASED_EVERY = 10

let dataDir = ''
let shop: ShopProcess
let owner: Record<string, string>

beforeEach(async () => {
  dataDir = testFolder()
  shop = await startShopProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD, LOG_LEVEL: 'trace' })
})

afterEach(async () => shop.kill())

it('erasing leaves no byte of a customer in files and log, and changes no figure', { timeout: 120_000 }, async () => {
  owner = await asOwner(shop.url)
  const buyers = Array.from({ length: BUYERS }, (_, index) => buyerOf(index))
  const orders: string[] = []
  for (let from = 0; from < BUYERS; from += AT_ONCE)
    orders.push(...(await Promise.all(buyers.slice(from, from + AT_ONCE).map(async (buyer) => sold(buyer)))))
  const sums = { totalRevenue: BUYERS * PRICE, totalCustomers: BUYERS, total: BUYERS }
  await expect.poll(async () => everyFigure(), { timeout: 20_000 }).toMatchObject(sums)
  const figures = await everyFigure()
  const [first] = buyers
  expect((await filesWith([first?.customerEmail ?? ''])).length).toBeGreaterThan(0)

  const erased = buyers.filter((_, index) => index % ERASED_EVERY === 0)
  // Blocked before: the vault then has their orders and remarks.
  const blocked = orders.filter((_, index) => index % ERASED_EVERY === 0)
  const block = { kinds: ['email', 'name'], reason: 'fraud' }
  for (const [index, id] of blocked.entries())
    await asked('POST', `/api/orders/${id}/block`, { ...block, remark: `About ${erased[index]?.discordUsername}` })
  expect(vaultIn(await filesWith(blocked))).not.toEqual([])

  for (const { customerEmail: email } of erased)
    expect(await asked('POST', '/api/admin/erase-customer', { email })).toMatchObject({ success: true, erased: true })

  const personal = erased.flatMap((buyer) => [buyer.customerEmail, buyer.discordUsername, buyer.marketId])
  await expect.poll(async () => filesWith(personal), { timeout: 20_000 }).toEqual([])
  expect(await everyFigure()).toEqual(figures)
  for (const [index, id] of orders.entries()) {
    const order = await asked<Order>('GET', `/api/orders/${id}`)
    const isErased = index % ERASED_EVERY === 0
    expect(order.customerEmail).toBe(isErased ? 'erased' : buyers[index]?.customerEmail)
    expect(order.discordUsername).toBe(isErased ? 'erased' : buyers[index]?.discordUsername)
  }
  for (const { customerEmail } of erased)
    expect((await asked<OrderList>('GET', `/api/orders?search=${customerEmail}`)).orders).toEqual([])

  const { blocks } = await asked<BlockList>('GET', '/api/admin/blocks')
  expect(blocks.map(({ remark, order }) => ({ remark, order }))).toEqual(
    erased.map(() => ({ remark: '', order: null })),
  )

  expect(await shop.stop()).toBe(0)
  expect(await filesWith(personal)).toEqual([])
  expect(vaultIn(await filesWith(blocked))).toEqual([])
  const log = shop.output.join('\n')
  expect(log).toMatch(/^Coinshop .* is open/m)
  expect(personal.filter((text) => log.includes(text))).toEqual([])
})

interface Buyer {
  readonly customerEmail: string
  readonly discordUsername: string
  readonly marketId: string
}

/** In random order, so that pages are also filled in the middle. */
function buyerOf(index: number): Buyer {
  const scattered = (index * 7_919) % 10_007
  return {
    customerEmail: `person.${scattered}.of.some.length@example.test`,
    discordUsername: `chat-name-${scattered}-of-some-length`,
    marketId: String(73_519_241 + scattered * 1_013),
  }
}

async function sold(buyer: Buyer): Promise<string> {
  const { id } = await asked<OrderCreated>('POST', '/api/orders', {
    ...buyer,
    pokecoinAmount: 1,
    totalAmount: String(PRICE),
  })
  await asked('POST', '/api/complete-payment', { orderId: id })
  return id
}

async function everyFigure(): Promise<unknown> {
  const { recentOrders: _recentOrders, ...figures } = await asked<Analytics>('GET', '/api/admin/analytics')
  const { total, filtered } = await asked<OrderList>('GET', '/api/orders')
  const { currentStock } = await asked<{ currentStock: number }>('GET', '/api/payment-settings')
  return { ...figures, total, filtered, currentStock }
}

/** Of these files, the vault's. */
const vaultIn = (files: readonly string[]) => files.filter((file) => basename(file).startsWith('vault'))

/** Returns the files that contain any of these texts. */
async function filesWith(texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const contents = await Promise.all(files.map(async (file) => readFile(file)))
  return files.filter((_, index) => texts.some((text) => contents[index]?.includes(text)))
}

/** Sends a request as the owner. */
async function asked<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await ask(shop.url, method, path, { body, headers: owner })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body as Body
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UpiGateway } from '../domain/payment-methods.ts'
import { type UpiGatewayDouble, upiGatewayDouble } from '../payments/testing/upigateway-double.ts'
import { cashfreeDouble } from '../payments/testing/cashfree-double.ts'
import { httpClient } from './http-client.ts'
import { orderBody } from './orders.ts'
import { newFolder, removeFolder } from './shop-folder.ts'
import { type ShopProcess, startShopProcess } from './shop-process.ts'

const PHONE = '9182736450'
const key = 'key-of-the-double'
/** What a provider answers is noted no more often (`provider-watch.ts`). */
const NOTED_EVERY_MS = 5_000
const WITHIN = { timeout: 40_000, interval: 250 }

let folder = ''
let double: UpiGatewayDouble
let shop: ShopProcess
beforeEach(async () => {
  folder = newFolder()
  double = await upiGatewayDouble({ key })
  const env = { PAYMENTS: 'live', UPIGATEWAY_URL: double.url, UPIGATEWAY_KEY: key, LOG_LEVEL: 'trace' }
  shop = await startShopProcess({ DATA_DIR: folder, ...env })
  double.webhookUrl = `${shop.url}/api/webhooks/upigateway`
})
afterEach(async () => {
  await shop.kill()
  await double.stop()
  removeFolder(folder)
})

/** Buyers pay through the gateway, also in its trouble; then the number is looked for. */
const keepsNone: Readonly<Record<UpiGateway, () => Promise<void>>> = {
  async upigateway() {
    const client = httpClient(shop.url, [])
    const placed = async (): Promise<string> => String((await client.post('/api/orders', orderBody())).body['id'])
    const create = async (orderId: string, info: object = {}) =>
      client.post('/api/upigateway/create-order', {
        amount: '2.25',
        orderId,
        customerInfo: { customerPhone: PHONE, customerName: 'Not read', customerEmail: 'not@read.example', ...info },
      })
    const paid = async (orderId: string): Promise<void> => {
      const status = async () => (await client.get(`/api/orders/${orderId}`)).body['paymentStatus']
      await expect.poll(status, WITHIN).toBe('completed')
    }

    const told = await placed()
    await create(told)
    await double.act(double.paymentIds().at(-1) ?? '', { do: 'pay' })
    await paid(told)

    // The provider is in trouble, and the buyer tries again: the number has to be sent again by him.
    const again = await placed()
    for (const answer of ['lost', '500', 'nonsense'] as const) {
      double.fail({ answer, on: 'create' })
      expect((await create(again)).status).toBe(503)
    }
    expect((await create(again)).status).toBe(200)
    await double.act(double.paymentIds().at(-1) ?? '', { do: 'pay', webhooks: 0 })
    await paid(again)

    // Requests that are refused, by the shop and by the gateway in words that quote the number.
    expect((await create(told, { customerPhone: `${PHONE}1` })).status).toBe(400)
    expect((await create(told, { more: PHONE })).status).toBe(400)
    expect((await create('nonsense')).status).toBe(400)
    const refused = await placed()
    double.account.refusal = `Invalid customer_mobile ${PHONE}`
    expect((await create(refused)).status).toBe(409)
    // What is said against the shop itself is logged, and kept for the dashboard.
    double.account.refusal = `Your plan does not reach customer_mobile ${PHONE}`
    expect((await create(refused)).status).toBe(503)

    const creates = double.calls.filter(({ path }) => path === '/api/create_order')
    expect(creates.length).toBeGreaterThan(4)
    for (const { body } of creates) {
      expect(body).not.toContain('ot@read')
      expect(body).not.toContain('Not read')
      expect(Object.keys(JSON.parse(body) as object)).toEqual([
        'key',
        'client_txn_id',
        'amount',
        'p_info',
        'customer_name',
        'customer_email',
        'customer_mobile',
        'redirect_url',
      ])
    }
    const checks = double.calls.filter(({ path }) => path === '/api/check_order_status')
    expect(checks.length).toBeGreaterThan(1)
    for (const { body } of checks)
      expect(Object.keys(JSON.parse(body) as object)).toEqual(['key', 'client_txn_id', 'txn_date'])
    expect(double.calls).toHaveLength(creates.length + checks.length)

    expect(filesWith(PHONE)).toEqual([])
    expect(await shop.stop()).toBe(0)
    expect(filesWith(PHONE)).toEqual([])
    // What is looked for is found where it is.
    expect(filesWith(double.paymentIds().at(-2) ?? '')).not.toEqual([])
    expect(filesWith('plan does not reach')).not.toEqual([])
    const log = shop.output.join('\n')
    expect(log).toMatch(/^Coinshop .* is open/m)
    expect(log).toContain('plan does not reach')
    expect(log).not.toContain(PHONE)
  },

  async cashfree() {
    const [clientId, clientSecret] = ['id-of-the-double', 'secret-of-the-double']
    const cashfree = await cashfreeDouble({ clientId, clientSecret })
    await shop.stop()
    const env = { PAYMENTS: 'live', CASHFREE_URL: cashfree.url, CASHFREE_CLIENT_ID: clientId, LOG_LEVEL: 'trace' }
    shop = await startShopProcess({ DATA_DIR: folder, ...env, CASHFREE_CLIENT_SECRET: clientSecret })
    cashfree.webhookUrl = `${shop.url}/api/webhooks/cashfree`
    try {
      const client = httpClient(shop.url, [])
      const placed = async (): Promise<string> => String((await client.post('/api/orders', orderBody())).body['id'])
      const customerInfo = { customerPhone: PHONE, customerName: 'Not read', customerEmail: 'not@read.example' }
      const create = async (orderId: string) =>
        client.post('/api/cashfree/create-order', { amount: '2.25', orderId, customerInfo })
      const orderId = await placed()
      for (const answer of ['lost', '500', 'nonsense'] as const) {
        cashfree.fail({ answer, on: 'create' })
        expect((await create(orderId)).status).toBe(503)
      }
      expect((await create(orderId)).status).toBe(200)
      expect(await cashfree.act(cashfree.paymentIds().at(-1) ?? '', { do: 'pay' })).toEqual([200])
      const status = async () => (await client.get(`/api/orders/${orderId}`)).body['paymentStatus']
      await expect.poll(status, WITHIN).toBe('completed')
      const refused = await placed()
      cashfree.account.refusal = { status: 400, message: `customer_phone : invalid value ${PHONE}` }
      expect((await create(refused)).status).toBe(409)
      await pause(NOTED_EVERY_MS)
      cashfree.account.refusal = { status: 401, message: `no access for customer_phone ${PHONE}` }
      expect((await create(refused)).status).toBe(503)

      const creates = cashfree.calls.filter(({ method }) => method === 'POST').map(({ body }) => body)
      expect(creates).toHaveLength(6)
      for (const body of creates)
        expect(body).toMatch(new RegExp(`"customer_details":{"customer_id":"\\w+","customer_phone":"${PHONE}"}`))
      expect(creates.join('\n')).not.toMatch(/not.read|example\.(?:com|test)/i)
      for (const { method, body, path } of cashfree.calls)
        if (method === 'GET') expect(body + path).not.toContain(PHONE)
      expect(await shop.stop()).toBe(0)
      expect(filesWith(PHONE)).toEqual([])
      expect(filesWith(cashfree.paymentIds()[0] ?? '')).not.toEqual([])
      expect(filesWith('no access for')).not.toEqual([])
      const log = shop.output.join('\n')
      expect(log).toContain('no access for')
      expect(log).not.toContain(PHONE)
    } finally {
      await cashfree.stop()
    }
  },
}

it.for(Object.entries(keepsNone))(
  'keeps no phone number that went to %s, which gets nothing but what it needs',
  { timeout: 120_000 },
  async ([, keeps]) => keeps(),
)

/** Names of the files that hold a text, in any of the ways in which it may be written. */
function filesWith(text: string): string[] {
  const forms = [
    Buffer.from(text),
    Buffer.from(text, 'utf16le'),
    Buffer.from(Buffer.from(text).toString('hex')),
    // A base64 text depends on where the number begins in it.
    ...[0, 1, 2].map((offset) =>
      Buffer.from(
        Buffer.from('x'.repeat(offset) + text)
          .toString('base64')
          .slice(offset === 0 ? 0 : 4, -4),
      ),
    ),
  ]
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  return files
    .filter(({ parentPath, name }) => forms.some((form) => readFileSync(join(parentPath, name)).includes(form)))
    .map(({ name }) => name)
}

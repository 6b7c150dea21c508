import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { UpiGateway } from '../domain/payment-methods.ts'
import { CashfreeDouble } from '../payments/testing/cashfree-double.ts'
import { UpiGatewayDouble } from '../payments/testing/upigateway-double.ts'
import { httpClient } from './http-client.ts'
import { placedBy } from './orders.ts'
import { startShopProcess } from './shop-process.ts'
import { testFolder } from './test-folder.ts'

const PHONE = '9182736450'
const WITHIN = { timeout: 40_000, interval: 250 }

/** How each gateway refuses in words that quote the number: a fault of the buyer's, and one of the shop's, which is logged and kept. */
const gateways: Readonly<Record<UpiGateway, () => Promise<Gateway>>> = {
  async upigateway() {
    const double = await new UpiGatewayDouble().listen()
    const refuse = (said: string) => (double.refusesAll = said)
    return {
      double,
      refuseBuyer: () => refuse(`Invalid customer_mobile ${PHONE}`),
      refuseShop: () => refuse(`Your Plan Already Expired for customer_mobile ${PHONE}`),
      keptWords: 'Plan Already Expired',
    }
  },
  async cashfree() {
    const double = await new CashfreeDouble().listen()
    const refuse = (status: number, message: string) => (double.refusesAll = { status, message })
    return {
      double,
      refuseBuyer: () => refuse(400, `customer_phone : invalid value ${PHONE}`),
      refuseShop: () => refuse(401, `no access for customer_phone ${PHONE}`),
      keptWords: 'no access for',
    }
  },
}

interface Gateway {
  readonly double: UpiGatewayDouble | CashfreeDouble
  refuseBuyer(): unknown
  refuseShop(): unknown
  readonly keptWords: string
}

it.for(Object.entries(gateways))(
  'keeps no phone number that went to %s, in no file and no log',
  { timeout: 120_000 },
  async ([name, open]) => {
    const { double, keptWords, ...gateway } = await open()
    onTestFinished(() => double.stop())
    const folder = testFolder()
    const shop = await startShopProcess({ DATA_DIR: folder, PAYMENTS: 'live', LOG_LEVEL: 'trace', ...double.env })
    onTestFinished(() => shop.kill())
    double.webhookUrl = `${shop.url}/api/webhooks/${name}`
    const client = httpClient(shop.url, [])
    const placed = async (): Promise<string> => await placedBy(client)
    const create = async (orderId: string, info: object = {}) => {
      const customerInfo = { customerPhone: PHONE, ...info }
      return (await client.post(`/api/${name}/create-order`, { amount: '2.25', orderId, customerInfo })).status
    }

    const paid = await placed()
    for (const answer of ['lost', '500', 'nonsense'] as const) {
      double.fail({ answer, on: 'create' })
      expect(await create(paid)).toBe(503)
    }
    expect(await create(paid)).toBe(200)
    const paymentId = double.paymentIds().at(-1) ?? ''
    expect(await double.act(paymentId, { do: 'pay' })).toEqual([200])
    const status = async () => (await client.get(`/api/orders/${paid}`)).body['paymentStatus']
    await expect.poll(status, WITHIN).toBe('completed')

    expect(await create(paid, { customerPhone: `${PHONE}1` })).toBe(400)
    expect(await create(paid, { more: PHONE })).toBe(400)
    expect(await create('nonsense')).toBe(400)
    const refused = await placed()
    gateway.refuseBuyer()
    expect(await create(refused)).toBe(409)
    gateway.refuseShop()
    expect(await create(refused)).toBe(503)

    expect(filesWith(folder, PHONE)).toEqual([])
    expect(await shop.stop()).toBe(0)
    expect(filesWith(folder, PHONE)).toEqual([])
    // What is looked for is found where it is.
    expect(filesWith(folder, paymentId)).not.toEqual([])
    const log = shop.output.join('\n')
    expect(log).toContain(keptWords)
    expect(log).not.toContain(PHONE)
  },
)

/** Names of the files that hold a text, in any of the ways in which it may be written. */
function filesWith(folder: string, text: string): string[] {
  const base64 = (offset: number) =>
    Buffer.from('x'.repeat(offset) + text)
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4)
  const forms = [
    Buffer.from(text),
    Buffer.from(text, 'utf16le'),
    // A base64 text depends on where the number begins in it.
    ...[Buffer.from(text).toString('hex'), base64(0), base64(1), base64(2)].map((form) => Buffer.from(form)),
  ]
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  return files
    .filter(({ parentPath, name }) => forms.some((form) => readFileSync(join(parentPath, name)).includes(form)))
    .map(({ name }) => name)
}

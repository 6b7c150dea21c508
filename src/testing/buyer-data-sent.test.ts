import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { GatewayName, UpiGateway } from '../domain/payment-methods.ts'
import { keptLog } from './kept-log.ts'
import { placedBy } from './orders.ts'
import { providerOfTest } from './shops.ts'
import { PHONE, type ProviderShop } from './start-provider-shop.ts'
import { testFolder } from '../ports/testing/test-folder.ts'

const buyer = { customerEmail: 'ash.ketchum@pallet.example', discordUsername: 'pikachufan', marketId: '87654321' }
const dataOfBuyer = [...Object.values(buyer), 'pallet.example', PHONE]

interface Provider {
  readonly pays: string
  /** Call and field of all personal data that the provider receives. */
  readonly receives: readonly string[]
}

const providers: Readonly<Record<GatewayName, Provider>> = {
  nowpayments: { pays: 'pay', receives: [] },
  paypal: { pays: 'approve', receives: [] },
  upigateway: {
    pays: 'pay',
    receives: [
      '/api/create_order customer_email',
      '/api/create_order customer_mobile',
      '/api/create_order customer_name',
    ],
  },
  cashfree: { pays: 'pay', receives: ['/pg/orders customer_details.customer_phone'] },
}

it.for(Object.entries(providers))('%s gets only the buyer data that it needs', async ([name, { pays, receives }]) => {
  const shop = await providerOfTest(name as GatewayName)
  const orderId = await placedBy(shop, buyer)
  shop.double.fail({ answer: 'lost', on: 'create' })
  expect((await shop.create(orderId)).status).toBe(503)
  // After a failure the shop pauses calls to the provider.
  shop.advance(2_000)
  expect((await shop.create(orderId)).status).toBe(200)
  const body = JSON.stringify({ do: pays })
  await fetch(`${shop.double.origin}/control/payments/latest`, { method: 'POST', body })
  await shop.work(orderId)
  expect((await shop.get(`/api/orders/${orderId}`)).body['paymentStatus']).toBe('completed')
  expect(shop.double.calls.length).toBeGreaterThan(3)
  const received = shop.double.calls.flatMap(({ path, body: sent, headers }) => {
    const call = path.split('?')[0] ?? ''
    const fields = { path, headers, body: fieldsIn(sent) }
    return namesOfBuyer(fields).map((name) => `${call} ${name.replace(/^body\./, '')}`)
  })
  expect([...new Set(received)].toSorted()).toEqual(receives)
  // Its id is enough to read an order.
  expect(JSON.stringify(shop.double.calls)).not.toContain(orderId)
})

/** Makes the gateway reject calls with a message that contains the number. The shop logs such messages. */
const refusing: { readonly [Name in UpiGateway]: (shop: ProviderShop<Name>, words: string) => unknown } = {
  upigateway: ({ double }, words) => (double.refusesAll = `Your Plan Already Expired: ${words}`),
  cashfree: ({ double }, message) => (double.refusesAll = { status: 401, message }),
}

it.for(Object.keys(refusing) as UpiGateway[])('the phone number for %s is in no file and no log', async (name) => {
  const folder = testFolder()
  vi.stubEnv('TMPDIR', folder)
  const { lines, logger } = keptLog()
  logger.level = 'trace'
  const shop = await providerOfTest<UpiGateway>(name, { engines: 'sqlite', logger })
  vi.unstubAllEnvs()
  const orderId = await shop.placed()
  for (const answer of ['lost', '500', 'nonsense'] as const) {
    shop.double.fail({ answer, on: 'create' })
    expect((await shop.create(orderId)).status).toBe(503)
  }
  expect((await shop.create(orderId)).status).toBe(200)
  const [paymentId = ''] = shop.double.paymentIds()
  expect(await shop.double.act(paymentId, { do: 'pay' })).toEqual([200])
  for (const wrong of [{ customerPhone: `${PHONE}1` }, { customerPhone: PHONE, more: PHONE }])
    expect((await shop.create(orderId, { customerInfo: wrong })).status).toBe(400)
  refusing[name](shop as never, `no access for ${PHONE}`)
  expect((await shop.create(await shop.placed())).status).toBe(503)
  await shop.caughtUp()
  expect(filesWith(folder, PHONE)).toEqual([])
  // The search works: it finds another text.
  expect(filesWith(folder, paymentId)).not.toEqual([])
  expect(lines.join('')).toContain('no access for')
  expect(lines.join('')).not.toContain(PHONE)
})

/** Names the files that contain a text, plain or encoded. Base64 depends on the offset of the text. */
function filesWith(folder: string, text: string): string[] {
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.from('x'.repeat(offset) + text)
      .toString('base64')
      .slice(4, -4),
  )
  const forms = [text, Buffer.from(text).toString('hex'), ...base64, Buffer.from(text, 'utf16le')]
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const content = ({ parentPath, name }: (typeof files)[number]) => readFileSync(join(parentPath, name))
  return files.filter((file) => forms.some((form) => content(file).includes(form))).map(({ name }) => name)
}

/** Parses JSON or a form. */
function fieldsIn(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return Object.fromEntries(new URLSearchParams(body))
  }
}

/** Names the fields whose values contain data of the buyer. */
function namesOfBuyer(value: unknown, name = ''): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => namesOfBuyer(inner, name === '' ? key : `${name}.${key}`))
  const text = decodeURIComponent(String(value)).toLowerCase()
  return dataOfBuyer.some((data) => text.includes(data)) ? [name] : []
}

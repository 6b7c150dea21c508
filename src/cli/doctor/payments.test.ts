import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseConfig } from '../../config.ts'
import { NowPaymentsDouble } from '../../payments/nowpayments/testing/nowpayments-double.ts'
import { PaypalDouble } from '../../payments/paypal/testing/paypal-double.ts'
import { saveWebhookTime } from '../../process/webhook-mark.ts'
import { testFolder } from '../../ports/testing/test-folder.ts'
import { sqliteViewStore } from '../../engines/view-store/sqlite-view-store.ts'
import { lookAtPayments } from './payments.ts'

let folder: string
let double: NowPaymentsDouble
/** Stands in for the public address of the shop. */
const server = createServer((_request, response) => response.writeHead(status).end())
let status = 404

beforeEach(async () => {
  folder = testFolder()
  double = await new NowPaymentsDouble().listen()
  status = 404
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

afterEach(async () => {
  server.close()
  await double.stop()
})

const look = async (changes: Record<string, string> = {}) => {
  const PUBLIC_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = { PAYMENTS: 'live', DATA_DIR: folder, PUBLIC_URL, ...double.env, ...changes }
  return lookAtPayments(parseConfig(env))
}

it('the doctor says that keys are accepted and no webhook came yet', async () => {
  const [finding, ...others] = await look()
  expect(others).toEqual([])
  expect(finding).toMatchObject({ part: 'nowpayments', must: undefined })
  expect(finding?.facts).toMatch(/^keys accepted, webhooks at http.*\/api\/webhooks\/nowpayments, none came yet$/)
  expect(finding?.note).toContain('enter the address')
})

it('the doctor says when the last webhook came', async () => {
  const views = sqliteViewStore(join(folder, 'views'))
  await saveWebhookTime(views.texts, 'nowpayments', Date.parse('2026-03-01T10:00:00Z'))
  await views.close()
  expect(await look()).toMatchObject([
    { facts: expect.stringMatching(/the last came 2026-03-01T10:00:00.000Z$/) as string, note: undefined },
  ])
})

it("the doctor says which keys are rejected, with the provider's reason", async () => {
  const [finding] = await look({ NOWPAYMENTS_API_KEY: 'another' })
  expect(finding?.facts).toContain('keys refused (Invalid api key)')
  expect(finding?.must).toContain('NOWPAYMENTS_API_KEY')
})

it('the doctor says which key a provider lacks', async () => {
  expect(await look({ PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret' })).toMatchObject([
    { part: 'nowpayments' },
    { part: 'paypal', facts: 'off', must: 'set PAYPAL_WEBHOOK_ID, too' },
  ])
})

it('the doctor says that webhooks are blocked, and that a provider is away', async () => {
  status = 403
  expect((await look())[0]?.note).toContain('it answers 403')
  const elsewhere = await look({ NOWPAYMENTS_URL: 'https://nowpayments.invalid/v1' })
  expect(elsewhere[0]?.facts).toContain('away')
})

it.for([
  ['openid https://uri.paypal.com/services/payments/refund', 'refunds can be sent', undefined],
  ['openid', 'refunds cannot be sent', 'allow its app to refund'],
  ['', 'whether refunds can be sent is not known until the first', undefined],
] as const)("the doctor says by PayPal's scope '%s': %s", async ([scope, fact, note]) => {
  const paypal = await new PaypalDouble().listen()
  paypal.scope = scope
  const found = (await look(paypal.env)).find(({ part }) => part === 'paypal')
  await paypal.stop()
  expect(found?.facts).toContain(fact)
  if (note !== undefined) expect(found?.note).toContain(note)
})

it('the doctor calls no provider in a sandbox shop', async () => {
  expect(await look({ PAYMENTS: 'sandbox' })).toMatchObject([{ part: 'payments', facts: 'played by the sandbox' }])
})

import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { GatewayName } from '../../domain/payment-methods.ts'
import { nowPaymentsSignature } from '../../payments/nowpayments/nowpayments-webhook.ts'
import { timeoutFor, type Webhook } from '../../payments/testing/double.ts'
import type { Doubles } from '../../payments/testing/doubles.ts'
import { receiptStream } from '../../shop/keys.ts'
import { MISSING, placedBy } from '../../testing/orders.ts'
import { providerOfTest, suiteProvider } from '../../testing/shops.ts'
import { PHONE, type ProviderShop } from '../../testing/start-provider-shop.ts'

const OPENED = ['OrderPlaced', 'PaymentRequested', 'PaymentStarted']
const PAID = [...OPENED, 'PaymentReceived', 'OrderCompleted']
const COPIES = 20

interface Row<Name extends GatewayName> {
  /** The act of the payer, and the events after its webhook. */
  readonly pays: string
  readonly events: readonly string[]
  /** Part of the path that the shop calls after a webhook. */
  readonly asks: string
  /** Webhooks that were changed after signing. Empty for a gateway that does not sign. */
  readonly refused: (double: Doubles[Name], paymentId: string) => readonly Webhook[]
  /** Says that a waiting payment was paid. */
  readonly lie: (double: Doubles[Name], paymentId: string) => Webhook
  /** Invalid bodies, correctly signed. */
  readonly malformed: readonly string[]
  /** Webhooks of foreign payments. `missing`: the reference of an order that does not exist. */
  readonly foreign: (double: Doubles[Name], missing: string) => readonly Webhook[]
  /** A paid payment that the shop did not open: its webhook and its receipt. */
  readonly paidElsewhere: (double: Doubles[Name], reference: string) => { sent: Webhook; receiptId: string }
  /** Bad answers to the calls of the shop after a webhook. */
  readonly troubles: readonly (readonly ['500' | 'slow' | 'lost', on: Parameters<Doubles[Name]['fail']>[0]['on']])[]
  /** The call of a check that a slow provider holds up. */
  readonly slowly: Parameters<Doubles[Name]['hold']>[0]
}

const rows: { readonly [Name in GatewayName]: Row<Name> } = {
  nowpayments: {
    pays: 'pay',
    slowly: 'check',
    events: PAID,
    asks: '/payment/',
    refused(double, paymentId) {
      const { body } = double.webhook(paymentId)
      const changes = [
        { payment_status: 'finished', actually_paid: 0.0264705883 },
        { pay_currency: 'btc' },
        { order_id: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
        { payment_id: 5_000_000_999 },
        { parent_payment_id: 5_000_000_001 },
        { __proto__x: 1 },
      ]
      const signatures = ['x', 'ab'.repeat(64), nowPaymentsSignature(body, 'another secret')]
      return [
        ...changes.map((forged) => double.webhook(paymentId, { forged })),
        ...signatures.map((signature) => ({ body, headers: { 'x-nowpayments-sig': signature } })),
        { body, headers: {} },
      ]
    },
    lie(double, paymentId) {
      const signed = { payment_status: 'finished', actually_paid: 99, price_amount: 2.25 }
      return double.webhook(paymentId, { signed })
    },
    malformed: [
      'payment_id=1',
      '[]',
      '{"payment_status":"finished"}',
      '{"payment_id":"../../currencies","payment_status":"finished"}',
      '{"actually_paid":{"a":1},"payment_id":1,"payment_status":"finished"}',
      `{"payment_id":1,"payment_status":"waiting","order_id":${'['.repeat(90)}${']'.repeat(90)}}`,
      '{"__proto__":{"payment_id":1},"payment_status":"finished"}',
    ],
    foreign: (double, missing) =>
      [null, 'PC-1001', missing].map((reference) => double.webhook(double.foreign({ reference }))),
    paidElsewhere(double, reference) {
      const receiptId = double.foreign({ reference })
      double.happen(receiptId, { do: 'pay' })
      return { sent: double.webhook(receiptId), receiptId }
    },
    troubles: [
      ['500', 'check'],
      ['slow', 'check'],
    ],
  },
  paypal: {
    pays: 'approve',
    slowly: 'capture',
    events: [...OPENED, 'CaptureRequested', 'PaymentReceived', 'OrderCompleted'],
    asks: '/capture',
    refused(double, paymentId) {
      const { body, headers } = double.webhook(paymentId, { of: 'approve' })
      const changes = [{ event_type: 'PAYMENT.CAPTURE.REFUNDED' }, { id: 'WH-OTHER' }, { summary: 'x' }]
      return [
        ...changes.map((forged) => double.webhook(paymentId, { of: 'approve', forged })),
        { body, headers: {} },
        { body: JSON.stringify(JSON.parse(body)), headers },
        ...['https://paypal.com.example', 'https://api.paypal.com/other', 'http://api.paypal.com', 'x'].map(
          (address) => ({
            body,
            headers: { ...headers, 'paypal-cert-url': `${address}/v1/notifications/certs/CERT-1` },
          }),
        ),
        { body, headers: { ...headers, 'paypal-auth-algo': 'none' } },
        { body, headers: { ...headers, 'paypal-transmission-time': '2026-01-01T00:00:00Z' } },
      ]
    },
    lie: (double, paymentId) => double.webhook(paymentId, { of: 'complete' }),
    malformed: ['', 'payment_id=1', '[]', '{"id":1}', '{"id":"WH-1","event_type":"X","resource":[]}', 'null'],
    foreign(double) {
      const { id } = double.open({ reference: 'PC-1003', value: '2.65' })
      return [double.webhook(id, { of: 'approve' })]
    },
    paidElsewhere(double, reference) {
      const { id } = double.open({ reference, value: '2.65' })
      double.happen(id, { do: 'approve' })
      const receiptId = double.capture(id).captures[0]?.id ?? ''
      return { sent: double.webhook(id, { of: 'complete' }), receiptId }
    },
    troubles: [
      ['500', 'certificate'],
      ['slow', 'check'],
      ['lost', 'capture'],
    ],
  },
  upigateway: {
    pays: 'pay',
    slowly: 'check',
    events: PAID,
    asks: '/check_order_status',
    refused: () => [],
    lie: (double, paymentId) =>
      double.webhook(paymentId, { forged: { status: 'success', amount: '9', upi_txn_id: '7' } }),
    malformed: ['', 'status=success', '{"client_txn_id":"A"}'],
    foreign: (double) =>
      ['client_txn_id=PC-1001&status=success', '\0%ff&client_txn_id=%00'].map((body) => double.signed(body)),
    paidElsewhere(double, reference) {
      const buyer = { customer_name: 'a', customer_email: 'a@b.c', customer_mobile: PHONE }
      double.open({
        client_txn_id: reference,
        amount: '194.63',
        p_info: '5M',
        redirect_url: 'https://a.example',
        ...buyer,
      })
      double.happen(reference, { do: 'pay', utr: '800000000001' })
      return { sent: double.webhook(reference), receiptId: '800000000001' }
    },
    troubles: [['slow', 'check']],
  },
  cashfree: {
    pays: 'pay',
    slowly: 'check',
    events: PAID,
    asks: '/payments',
    refused(double, paymentId) {
      const { body, headers } = double.webhook(paymentId)
      // Parsing and writing the body would drop a decimal.
      expect(body).toContain('"payment_amount":194.60')
      return [
        { body: JSON.stringify(JSON.parse(body)), headers },
        { body, headers: {} },
        { body, headers: { ...headers, 'x-webhook-timestamp': '1' } },
      ]
    },
    lie(double, paymentId) {
      const lie = double.webhook(paymentId).body.replaceAll('NOT_ATTEMPTED', 'SUCCESS').replace('CHARGES', 'SUCCESS')
      return double.signed(lie)
    },
    malformed: ['nonsense', '{"type":5}'],
    foreign: (double) =>
      [
        '{"type":"SETTLEMENT","data":{"settlement":{}}}',
        '{"type":"PAYMENT_SUCCESS_WEBHOOK","data":{"order":{"order_id":"PC-1002"}}}',
      ].map((body) => double.signed(body)),
    paidElsewhere(double, reference) {
      const customer = { customer_id: 'A12', customer_phone: PHONE }
      const asked = { order_id: reference, order_amount: 194.63, order_currency: 'INR', customer_details: customer }
      const order_meta = { return_url: 'https://a.example', notify_url: 'https://a.example' }
      double.open(JSON.stringify({ ...asked, order_meta, order_expiry_time: '2030-01-01' }))
      double.happen(reference, { do: 'pay' })
      return { sent: double.webhook(reference), receiptId: double.known(reference).tries[0]?.id ?? '' }
    },
    troubles: [['500', 'check']],
  },
}

const each = (sent: readonly unknown[], status: number) => Array<number>(sent.length).fill(status)

describe.for(Object.keys(rows) as GatewayName[])('webhook contract: %s', (name) => {
  const { pays, events, asks, refused, lie, malformed, foreign, paidElsewhere, troubles, slowly } = rows[
    name
  ] as Row<GatewayName>
  /** Unsigned webhooks each lead to a check, and are limited. */
  const isUnsigned = name === 'upigateway'
  const shop = suiteProvider(name)

  async function counted(result: string, at: Pick<ProviderShop, 'metrics'> = shop): Promise<number> {
    const text = await at.metrics()
    return Number(new RegExp(`coinshop_webhooks_total\\{.*result="${result}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
  }

  /** Sends webhooks that must change nothing. Returns statuses, calls to the provider and the count of `result`. */
  async function ignored(sent: readonly Webhook[], result: string) {
    const [head, calls, before] = [await shop.context.log.head(), shop.double.calls.length, await counted(result)]
    const statuses: number[] = []
    for (const webhook of sent) statuses.push(await shop.hook(webhook))
    expect(await shop.context.log.head()).toBe(head)
    return { statuses, calls: shop.double.calls.length - calls, counted: (await counted(result)) - before }
  }

  it('a webhook is answered once the log has its payment', async () => {
    const { orderId, paymentId } = await shop.opened()
    expect(await shop.double.act(paymentId, { do: pays })).toEqual([200])
    expect(await shop.typesOf(orderId)).toEqual(events)
    const actors = (await shop.eventsOf(`order-${orderId}`)).map(({ metadata }) => metadata.actor)
    expect(actors.slice(-2)).toEqual(['provider', 'provider'])
  })

  it.skipIf(isUnsigned)('a repeated webhook changes nothing and asks the provider nothing', async () => {
    const { paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: pays, webhooks: 0 })
    const webhook = shop.double.webhook(paymentId, { of: pays })
    expect(await shop.hook(webhook)).toBe(200)
    expect(await ignored([webhook], 'repeated')).toEqual({ statuses: [200], calls: 0, counted: 1 })
  })

  it('concurrent copies of a webhook are recorded once', async () => {
    const { orderId, paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: pays, webhooks: 0 })
    const webhook = shop.double.webhook(paymentId, { of: pays })
    const calls = shop.double.calls.length
    const statuses = await Promise.all(Array.from({ length: COPIES }, async () => shop.hook(webhook)))
    expect(statuses).toEqual(Array(COPIES).fill(200))
    expect(shop.double.calls.slice(calls).filter(({ path }) => path.includes(asks))).toHaveLength(1)
    expect(await shop.typesOf(orderId)).toEqual(events)
  })

  it('a webhook that contradicts the provider is not believed', async () => {
    const { orderId, paymentId } = await shop.opened()
    expect(await ignored([lie(shop.double, paymentId)], 'taken')).toMatchObject({ statuses: [200], counted: 1 })
    expect((await shop.order(orderId))['paymentStatus']).toBe('waiting')
  })

  it.skipIf(isUnsigned)('a webhook that was changed or wrongly signed is rejected and counted', async () => {
    const { paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: pays, amount: '194.60', webhooks: 0 })
    const sent = refused(shop.double, paymentId)
    expect(await ignored(sent, 'unsigned')).toMatchObject({ statuses: each(sent, 401), counted: sent.length })
  })

  it('a webhook without a payment is rejected without a call and counted', async () => {
    const sent = malformed.map((body) => shop.double.signed(body))
    const status = isUnsigned ? 200 : 400
    expect(await ignored(sent, 'malformed')).toEqual({ statuses: each(sent, status), calls: 0, counted: sent.length })
  })

  it('a webhook of a foreign payment changes nothing and is counted', async () => {
    const sent = foreign(shop.double, shop.context.keys.reference(MISSING, 2))
    const heard = await ignored(sent, 'foreign')
    expect(heard).toMatchObject({ statuses: each(sent, 200), counted: sent.length })
    // NOWPayments is asked about payments without a reference.
    expect(heard.calls).toBe(name === 'nowpayments' ? 2 : 0)
  })

  it('a webhook of money without an order is recorded once by its receipt', async () => {
    const own = await providerOfTest(name)
    const { sent, receiptId } = paidElsewhere(own.double, own.context.keys.reference(MISSING, 1))
    for (let turn = 0; turn < 2; turn += 1) expect(await own.hook(sent)).toBe(200)
    const noted = await own.eventsOf(receiptStream(name, receiptId))
    expect(noted).toMatchObject([{ type: 'ReceiptUnplaced', data: { receiptId } }])
  })

  it('a webhook is answered before a slow check ends, and its repeat gets the result without another call', async () => {
    const own = await providerOfTest(name, { webhookMs: 100 })
    const { orderId, paymentId } = await own.opened()
    await own.double.act(paymentId, { do: pays, webhooks: 0 })
    const webhook = own.double.webhook(paymentId, { of: pays })
    const release = own.double.hold(slowly as never)
    for (let turn = 0; turn < 2; turn += 1) expect(await own.hook(webhook)).toBe(isUnsigned ? 200 : 503)
    expect(await counted('taken', own)).toBe(0)
    release()
    await expect.poll(async () => own.typesOf(orderId)).toEqual(events)
    expect(await counted('taken', own)).toBe(isUnsigned ? 1 : 2)
    const calls = own.double.calls.length
    expect(await own.hook(webhook)).toBe(200)
    expect(own.double.calls).toHaveLength(calls)
    expect(await counted(isUnsigned ? 'limited' : 'repeated', own)).toBe(isUnsigned ? 2 : 1)
  })

  it.for(troubles)(
    'a webhook is to be sent again when the provider fails, and a check finds its payment: %s to %s',
    async ([answer, on]) => {
      const own = await providerOfTest(name, { webhookMs: timeoutFor(answer), timeoutMs: 2 * timeoutFor(answer) })
      const { orderId, paymentId } = await own.opened()
      own.double.fail({ answer, on } as never)
      expect(await own.double.act(paymentId, { do: pays })).toEqual([isUnsigned ? 200 : 503])
      await expect.poll(async () => counted('failed', own), { timeout: 10_000 }).toBe(1)
      expect((await own.order(orderId))['paidCents']).toBe(0)
      own.advance(5_000)
      await own.work(orderId)
      expect(await own.typesOf(orderId)).toEqual(events)
    },
  )
})

describe('a webhook of NOWPayments', () => {
  const shop = suiteProvider('nowpayments')

  it('a webhook of 10 MB or compressed is rejected before it is read', async () => {
    const { body, headers } = shop.double.signed(
      JSON.stringify({ payment_id: 1, payment_status: 'x'.repeat(10_000_000) }),
    )
    expect(await shop.hook({ body, headers })).toBe(413)
    const packed = new Uint8Array(gzipSync(body))
    const sent = { method: 'POST', headers: { 'content-encoding': 'gzip', ...headers }, body: packed }
    expect((await fetch(`${shop.url}/api/webhooks/nowpayments`, sent)).status).toBe(415)
    expect(await shop.metrics()).toContain('result="malformed"} 2')
  })

  it('a webhook is not read when its address sends too many', async () => {
    const own = await providerOfTest('nowpayments', { env: { RATE_LIMIT: 'on' } })
    const forged = { body: '{}', headers: { 'x-nowpayments-sig': 'x' } }
    const statuses = await Promise.all(Array.from({ length: 400 }, async () => own.hook(forged)))
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect(await own.metrics()).toMatch(/provider="nowpayments",result="limited"\} \d+/)
  })

  it('a webhook of money at another price is recorded by its receipt and counts for no order', async () => {
    const { orderId } = await shop.opened()
    const unstarted = await placedBy(shop)
    shop.double.fail({ answer: '500', on: 'create' })
    await shop.create(unstarted)
    shop.advance(2_000)
    for (const order of [orderId, unstarted]) {
      const id = shop.double.foreign({ reference: shop.context.keys.reference(order, 1), price: '0.50' })
      shop.double.happen(id, { do: 'pay' })
      expect(await shop.hook(shop.double.webhook(id))).toBe(200)
      const noted = await shop.eventsOf(receiptStream('nowpayments', id))
      expect(noted).toMatchObject([{ type: 'ReceiptUnplaced', data: { receiptId: id, amount: '0.29411765' } }])
      expect((await shop.order(order))['paidCents']).toBe(0)
    }
  })
})

it.for([
  ['refund', 'PaymentReversed'],
  ['auto-refund', 'PaymentReversed'],
  ['dispute', 'PaymentDisputed'],
] as const)(
  'a webhook of Cashfree about a %s leads to its payment, and is to be sent again when that cannot be read',
  async ([what, event]) => {
    const shop = await providerOfTest('cashfree')
    const { orderId, paymentId } = await shop.opened()
    expect(await shop.double.act(paymentId, { do: 'pay' })).toEqual([200])
    shop.double.fail({ answer: '500', on: 'back' })
    expect(await shop.double.act(paymentId, { do: what })).toEqual([503])
    expect(await shop.typesOf(orderId)).not.toContain(event)
    shop.advance(5_000)
    expect(await shop.hook(shop.double.webhook(paymentId, { of: what }))).toBe(200)
    expect(await shop.typesOf(orderId)).toContain(event)
  },
)

describe('a webhook of PayPal', () => {
  const shop = suiteProvider('paypal')

  it('a webhook and the browser capture the same money once', async () => {
    const { orderId, paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: 'approve', webhooks: 0 })
    const webhook = shop.double.webhook(paymentId, { of: 'approve' })
    await Promise.all([shop.capture(orderId, paymentId), shop.hook(webhook), shop.hook(webhook), shop.work(orderId)])
    await shop.work(orderId)
    expect(await shop.typesOf(orderId)).toEqual(rows.paypal.events)
    expect(shop.double.known(paymentId).captures).toHaveLength(1)
  })

  it('a webhook of a payment under our reference that we did not open changes nothing', async () => {
    const { orderId } = await shop.opened()
    const other = shop.double.open({ reference: shop.context.keys.reference(orderId, 1), value: '0.01' })
    shop.double.happen(other.id, { do: 'approve' })
    const head = await shop.context.log.head()
    expect(await shop.hook(shop.double.webhook(other.id, { of: 'approve' }))).toBe(200)
    expect(await shop.context.log.head()).toBe(head)
    expect(other.captures).toEqual([])
  })
})

it('unsigned webhooks of one payment are checked once in a while, and the workers find the rest', async () => {
  const shop = await providerOfTest('upigateway')
  const { orderId, paymentId } = await shop.opened()
  for (let turn = 0; turn < 20; turn += 1) expect(await shop.hook(shop.double.webhook(paymentId))).toBe(200)
  expect(shop.double.calls.filter(({ path }) => path.endsWith('/check_order_status'))).toHaveLength(1)
  expect(await shop.metrics()).toContain('result="limited"} 19')
  expect(await shop.double.act(paymentId, { do: 'pay' })).toEqual([200])
  await shop.work(orderId)
  expect((await shop.order(orderId))['paymentStatus']).toBe('completed')
})

it('an unsigned webhook that was skipped among too many is checked when it is repeated', async () => {
  const shop = await providerOfTest('upigateway')
  const forged = await Promise.all(Array.from({ length: 3 }, async () => shop.opened()))
  const { orderId, paymentId } = await shop.opened()
  await shop.double.act(paymentId, { do: 'pay', webhooks: 0 })
  for (const one of forged) await shop.hook(shop.double.webhook(one.paymentId))
  const statusAfterWebhook = async () => {
    await shop.hook(shop.double.webhook(paymentId))
    return (await shop.order(orderId))['paymentStatus']
  }
  // Before the same payment may be checked again.
  await expect.poll(statusAfterWebhook, { timeout: 4_000, interval: 300 }).toBe('completed')
})

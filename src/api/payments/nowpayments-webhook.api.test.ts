import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { timeoutFor } from '../../payments/testing/double.ts'
import { nowPaymentsSignature } from '../../payments/nowpayments-signature.ts'
import { receiptStream } from '../../shop/keys.ts'
import { placedBy } from '../../testing/orders.ts'
import { type ProviderShop, startProviderShop } from '../../testing/start-provider-shop.ts'

const PAID = ['OrderPlaced', 'PaymentRequested', 'PaymentStarted', 'PaymentReceived', 'OrderCompleted']

let shop: ProviderShop<'nowpayments'>
beforeAll(async () => {
  shop = await startProviderShop('nowpayments')
})
afterAll(async () => shop.stop())

/** Answers the status; the log must not have changed. */
async function changesNothing(send: () => Promise<number>): Promise<number> {
  const before = await shop.shop.log.head()
  const status = await send()
  expect(await shop.shop.log.head()).toBe(before)
  return status
}

async function counted(result: string): Promise<number> {
  const { text } = await shop.get('/metrics')
  return Number(new RegExp(`coinshop_webhooks_total\\{.*result="${result}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
}

describe('a webhook of NOWPayments', () => {
  it('is answered once the log has its payment', async () => {
    const { orderId, paymentId } = await shop.opened()
    expect(await shop.double.act(paymentId, { do: 'pay' })).toEqual([200])
    expect(await shop.typesOf(orderId)).toEqual(PAID)
    const actors = (await shop.eventsOf(`order-${orderId}`)).map(({ metadata }) => metadata.actor)
    expect(actors.slice(-2)).toEqual(['provider', 'provider'])
  })

  it('adds nothing when it comes again, and asks the provider once', async () => {
    const { orderId, paymentId } = await shop.opened()
    const before = await counted('repeated')
    await shop.double.act(paymentId, { do: 'pay' })
    const calls = shop.double.calls.length
    expect(await changesNothing(async () => (await shop.double.act(paymentId, { do: 'pay' }))[0] as number)).toBe(200)
    expect(shop.double.calls).toHaveLength(calls)
    expect(await counted('repeated')).toBe(before + 1)
    expect(await shop.typesOf(orderId)).toEqual(PAID)
  })

  it('that comes often at the same time is asked for once', async () => {
    const { orderId, paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: 'pay', webhooks: 0 })
    const webhook = shop.double.webhook(paymentId)
    const calls = shop.double.calls.length
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => shop.hook(webhook)))
    expect(statuses).toEqual(Array(20).fill(200))
    expect(shop.double.calls).toHaveLength(calls + 1)
    expect(await shop.typesOf(orderId)).toEqual(PAID)
  })

  it('that says more than the provider does is believed in nothing', async () => {
    const { orderId, paymentId } = await shop.opened()
    const lie = { payment_status: 'finished', actually_paid: 99, price_amount: 2.25 }
    const webhook = shop.double.webhook(paymentId, { signed: lie })
    expect(await changesNothing(async () => shop.hook(webhook))).toBe(200)
    expect((await shop.order(orderId))['paymentStatus']).toBe('waiting')
  })

  it('with anything changed after it was signed, without a signature, or with another, is refused and counted', async () => {
    const { paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: 'pay', webhooks: 0 })
    const [calls, before] = [shop.double.calls.length, await counted('unsigned')]
    const changes = [
      { payment_status: 'finished', actually_paid: 0.0264705883 },
      { pay_currency: 'btc' },
      { order_id: 'AAAAAAAAAAAAAAAAAAAAAAAAAA-1' },
      { payment_id: 5_000_000_999 },
      { parent_payment_id: 5_000_000_001 },
      { __proto__x: 1 },
    ]
    const { body } = shop.double.webhook(paymentId)
    const signatures = ['x', 'ab'.repeat(64), nowPaymentsSignature(body, 'another secret')]
    const refused = [
      ...changes.map((forged) => shop.double.webhook(paymentId, { forged })),
      ...signatures.map((signature) => ({ body, headers: { 'x-nowpayments-sig': signature } })),
      { body, headers: {} },
    ]
    for (const webhook of refused) expect(await changesNothing(async () => shop.hook(webhook))).toBe(401)
    expect(shop.double.calls).toHaveLength(calls)
    expect(await counted('unsigned')).toBe(before + refused.length)
  })

  it('that is signed but names no payment is refused', async () => {
    for (const body of [
      'payment_id=1',
      '[]',
      '{"payment_status":"finished"}',
      '{"payment_id":"../../currencies","payment_status":"finished"}',
      '{"actually_paid":{"a":1},"payment_id":1,"payment_status":"finished"}',
      `{"payment_id":1,"payment_status":"waiting","order_id":${'['.repeat(90)}${']'.repeat(90)}}`,
      '{"__proto__":{"payment_id":1},"payment_status":"finished"}',
    ])
      expect(await changesNothing(async () => shop.hook(shop.double.signed(body)))).toBe(400)
  })

  it('of 10 MB, or compressed, is refused before it is read, and counted', async () => {
    const before = await counted('malformed')
    const body = JSON.stringify({ payment_id: 1, payment_status: 'x'.repeat(10_000_000) })
    expect(await changesNothing(async () => shop.hook(shop.double.signed(body)))).toBe(413)
    const headers = { 'content-encoding': 'gzip', ...shop.double.signed(body).headers }
    const address = `${shop.url}/api/webhooks/nowpayments`
    const packed = new Uint8Array(gzipSync(body))
    const sent = async (): Promise<number> => (await fetch(address, { method: 'POST', headers, body: packed })).status
    expect(await changesNothing(sent)).toBe(415)
    expect(await counted('malformed')).toBe(before + 2)
  })

  it('of a payment that is not of this shop changes nothing and is counted', async () => {
    const before = await counted('foreign')
    const strange = [null, 'PC-1001', shop.shop.keys.reference('00000000-0000-4000-8000-000000000000', 1)]
    for (const orderId of strange) {
      const id = shop.double.foreign({ reference: orderId })
      expect(await changesNothing(async () => shop.hook(shop.double.webhook(id)))).toBe(200)
    }
    expect(await counted('foreign')).toBe(before + strange.length)
  })

  it('that names an order which is not here is noted by its receipt once, and counted for staff', async () => {
    const orderId = shop.shop.keys.reference('00000000-0000-4000-8000-000000000000', 1)
    const id = shop.double.foreign({ reference: orderId })
    await shop.double.act(id, { do: 'pay' })
    for (let turn = 0; turn < 2; turn += 1) {
      const webhook = shop.double.webhook(id, { signed: { actually_paid: turn } })
      expect(await shop.hook(webhook)).toBe(200)
    }
    const noted = await shop.eventsOf(receiptStream('nowpayments', id))
    expect(noted).toMatchObject([{ type: 'ReceiptUnplaced', data: { receiptId: id, amount: '0.29411765' } }])
    expect(await counted('unplaced')).toBe(2)
  })

  it('of money at another price than was asked for is noted by its receipt, and no order counts it', async () => {
    const { orderId } = await shop.opened()
    const unstarted = await placedBy(shop)
    shop.double.fail({ answer: '500', on: 'create' })
    await shop.create(unstarted)
    shop.advance(2_000)
    for (const order of [orderId, unstarted]) {
      const id = shop.double.foreign({ reference: shop.shop.keys.reference(order, 1), price: '0.50' })
      await shop.double.act(id, { do: 'pay' })
      expect(await shop.hook(shop.double.webhook(id))).toBe(200)
      const noted = await shop.eventsOf(receiptStream('nowpayments', id))
      expect(noted).toMatchObject([{ type: 'ReceiptUnplaced', data: { receiptId: id } }])
      expect((await shop.order(order))['paidCents']).toBe(0)
    }
  })
})

describe('a webhook whose provider is in trouble', () => {
  it.for(['500', 'slow'] as const)('is answered 503, and is looked at again: %s', async (answer) => {
    const own = await startProviderShop('nowpayments', {
      webhookMs: timeoutFor(answer),
      timeoutMs: 2 * timeoutFor(answer),
    })
    const { orderId, paymentId } = await own.opened()
    own.double.fail({ answer, on: 'check' })
    expect(await own.double.act(paymentId, { do: 'pay' })).toEqual([503])
    expect(own.lookedLater).toMatchObject([{ provider: 'nowpayments', paymentId }])
    expect((await own.order(orderId))['paidCents']).toBe(0)
    own.advance(5_000)
    await own.work(orderId)
    expect(await own.typesOf(orderId)).toEqual(PAID)
    await own.stop()
  })
})

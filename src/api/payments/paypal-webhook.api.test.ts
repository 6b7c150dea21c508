import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { timeoutFor } from '../../payments/testing/double.ts'
import { type ProviderShop, startProviderShop } from '../../testing/start-provider-shop.ts'

const OPENED = ['OrderPlaced', 'PaymentRequested', 'PaymentStarted']
const PAID = [...OPENED, 'CaptureRequested', 'PaymentReceived', 'OrderCompleted']

let shop: ProviderShop<'paypal'>
beforeAll(async () => {
  shop = await startProviderShop('paypal')
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
  return Number(new RegExp(`provider="paypal",result="${result}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
}

describe('a webhook of PayPal', () => {
  it('about an approval captures the money, since the browser may have been closed', async () => {
    const { orderId, paymentId } = await shop.opened()
    expect(await shop.double.act(paymentId, { do: 'approve' })).toEqual([200])
    expect(await shop.typesOf(orderId)).toEqual(PAID)
  })

  it('and the browser capture the same money once, whoever comes first', async () => {
    const { orderId, paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: 'approve', webhooks: 0 })
    const webhook = shop.double.webhook(paymentId, { of: 'approve' })
    await Promise.all([shop.capture(orderId, paymentId), shop.hook(webhook), shop.hook(webhook), shop.work(orderId)])
    await shop.work(orderId)
    expect(await shop.typesOf(orderId)).toEqual(PAID)
    expect(shop.double.known(paymentId).captures).toHaveLength(1)
  })

  it('that comes again changes nothing and asks the provider nothing', async () => {
    const { paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: 'approve' })
    const webhook = shop.double.webhook(paymentId, { of: 'complete' })
    expect(await shop.hook(webhook)).toBe(200)
    const calls = shop.double.calls.length
    expect(await changesNothing(async () => shop.hook(webhook))).toBe(200)
    expect(shop.double.calls).toHaveLength(calls)
    expect(await counted('repeated')).toBe(1)
  })

  it('with anything changed after it was signed, without its headers, or written anew, is refused and counted', async () => {
    const { paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: 'approve', webhooks: 0 })
    const before = await counted('unsigned')
    const { body, headers } = shop.double.webhook(paymentId, { of: 'approve' })
    const changes = [{ event_type: 'PAYMENT.CAPTURE.REFUNDED' }, { id: 'WH-OTHER' }, { summary: 'x' }]
    for (const webhook of [
      ...changes.map((forged) => shop.double.webhook(paymentId, { of: 'approve', forged })),
      { body, headers: {} },
      { body: JSON.stringify(JSON.parse(body)), headers },
    ])
      expect(await changesNothing(async () => shop.hook(webhook))).toBe(401)
    expect(await counted('unsigned')).toBe(before + 5)
  })

  it('that says more than the provider does is believed in nothing', async () => {
    const { orderId, paymentId } = await shop.opened()
    expect(await changesNothing(async () => shop.hook(shop.double.webhook(paymentId, { of: 'complete' })))).toBe(200)
    expect((await shop.order(orderId))['paymentStatus']).toBe('waiting')
  })

  it('that names no order of this shop asks the provider nothing', async () => {
    const before = await counted('foreign')
    const { id } = shop.double.open({ reference: 'PC-1003', value: '2.65' })
    const calls = shop.double.calls.length
    const webhook = shop.double.webhook(id, { of: 'approve' })
    expect(await changesNothing(async () => shop.hook(webhook))).toBe(200)
    expect(shop.double.calls).toHaveLength(calls)
    expect(await counted('foreign')).toBe(before + 1)
  })

  it('of a payment under our reference that we did not open changes nothing', async () => {
    const { orderId } = await shop.opened()
    const other = shop.double.open({ reference: shop.shop.keys.reference(orderId, 1), value: '0.01' })
    shop.double.happen(other.id, { do: 'approve' })
    const webhook = shop.double.webhook(other.id, { of: 'approve' })
    expect(await changesNothing(async () => shop.hook(webhook))).toBe(200)
    expect(other.captures).toEqual([])
  })

  it('that is none is refused', async () => {
    for (const body of ['', 'payment_id=1', '[]', '{"id":1}', '{"id":"WH-1","event_type":"X","resource":[]}', 'null'])
      expect(await changesNothing(async () => shop.hook({ body, headers: {} }))).toBe(400)
  })
})

describe('a webhook whose provider is in trouble', () => {
  it.for([
    ['500', 'verify'],
    ['slow', 'check'],
    ['lost', 'capture'],
  ] as const)('is answered 503, and its payment is looked at at once: %s', async ([answer, on]) => {
    const own = await startProviderShop('paypal', { webhookMs: timeoutFor(answer), timeoutMs: 2 * timeoutFor(answer) })
    const { orderId, paymentId } = await own.opened()
    own.double.fail({ answer, on })
    expect(await own.double.act(paymentId, { do: 'approve' })).toEqual([503])
    expect(own.lookedLater).toMatchObject([{ provider: 'paypal', paymentId }])
    expect((await own.order(orderId))['paidCents']).toBe(0)
    own.advance(5_000)
    await own.work(orderId)
    expect(await own.typesOf(orderId)).toEqual(PAID)
    await own.stop()
  })
})

describe('a dispute', () => {
  it('keeps from the buyer what was not handed over, until it is won, and adds nothing when it is told again', async () => {
    const own = await startProviderShop('paypal', { policy: { deliveryMode: 'staff' } })
    const { orderId, paymentId } = await own.opened()
    await own.double.act(paymentId, { do: 'approve' })
    expect((await own.order(orderId))['may']).toMatchObject({ deliver: true })
    expect(await own.double.act(paymentId, { do: 'dispute', webhooks: 2 })).toEqual([200, 200])
    expect(await own.order(orderId)).toMatchObject({ attention: { reasons: ['disputed', 'delivery-unknown'] } })
    expect((await own.order(orderId))['may']).toMatchObject({ deliver: false, approve: true })
    // The webhook of its end is lost: a check reads it.
    await own.double.act(paymentId, { do: 'win', webhooks: 0 })
    await own.work(orderId)
    await own.work(orderId)
    expect((await own.typesOf(orderId)).filter((type) => type.includes('Disput'))).toEqual([
      'PaymentDisputed',
      'DisputeClosed',
    ])
    expect(await own.order(orderId)).toMatchObject({ attention: { reasons: ['delivery-unknown'] } })
    await own.stop()
  })

  it('that is lost after the hand-over is a reversal, for staff', async () => {
    const { orderId, paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: 'approve' })
    await shop.double.act(paymentId, { do: 'dispute' })
    expect(await shop.double.act(paymentId, { do: 'lose' })).toEqual([200])
    expect((await shop.typesOf(orderId)).slice(PAID.length)).toEqual([
      'PaymentDisputed',
      'OrderNeedsAttention',
      'DisputeClosed',
      'PaymentReversed',
      'OrderNeedsAttention',
    ])
    expect(await shop.order(orderId)).toMatchObject({
      status: 'completed',
      attention: { reasons: ['disputed', 'reversed'] },
    })
  })
})

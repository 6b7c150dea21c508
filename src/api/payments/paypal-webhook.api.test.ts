import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProviderShop, startProviderShop } from '../../testing/start-provider-shop.ts'

const PAID = [
  'OrderPlaced',
  'PaymentRequested',
  'PaymentStarted',
  'CaptureRequested',
  'PaymentReceived',
  'OrderCompleted',
]

let shop: ProviderShop<'paypal'>
beforeAll(async () => {
  shop = await startProviderShop('paypal')
})
afterAll(async () => shop.stop())

describe('a webhook of PayPal', () => {
  it('and the browser capture the same money once, whoever comes first', async () => {
    const { orderId, paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: 'approve', webhooks: 0 })
    const webhook = shop.double.webhook(paymentId, { of: 'approve' })
    await Promise.all([shop.capture(orderId, paymentId), shop.hook(webhook), shop.hook(webhook), shop.work(orderId)])
    await shop.work(orderId)
    expect(await shop.typesOf(orderId)).toEqual(PAID)
    expect(shop.double.known(paymentId).captures).toHaveLength(1)
  })

  it('of a payment under our reference that we did not open changes nothing', async () => {
    const { orderId } = await shop.opened()
    const other = shop.double.open({ reference: shop.shop.keys.reference(orderId, 1), value: '0.01' })
    shop.double.happen(other.id, { do: 'approve' })
    const head = await shop.shop.log.head()
    expect(await shop.hook(shop.double.webhook(other.id, { of: 'approve' }))).toBe(200)
    expect(await shop.shop.log.head()).toBe(head)
    expect(other.captures).toEqual([])
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
    for (let turn = 0; turn < 2; turn += 1) await own.work(orderId)
    const disputes = (await own.typesOf(orderId)).filter((type) => type.includes('Disput'))
    expect(disputes).toEqual(['PaymentDisputed', 'DisputeClosed'])
    expect(await own.order(orderId)).toMatchObject({ attention: { reasons: ['delivery-unknown'] } })
    await own.stop()
  })

  it('that is lost after the hand-over is a reversal, for staff', async () => {
    const { orderId, paymentId } = await shop.opened()
    for (const what of ['approve', 'dispute', 'lose'])
      expect(await shop.double.act(paymentId, { do: what })).toEqual([200])
    expect((await shop.typesOf(orderId)).slice(PAID.length)).toEqual([
      'PaymentDisputed',
      'DisputeClosed',
      'PaymentReversed',
    ])
    const attention = { reasons: ['disputed', 'reversed'] }
    expect(await shop.order(orderId)).toMatchObject({ status: 'completed', attention })
  })
})

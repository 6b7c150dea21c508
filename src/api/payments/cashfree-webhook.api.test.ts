import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ProviderShop, startProviderShop } from '../../testing/start-provider-shop.ts'

let shop: ProviderShop<'cashfree'>
beforeAll(async () => {
  shop = await startProviderShop('cashfree')
})
afterAll(async () => shop.stop())

/** Answers the status; neither the log nor the provider may have heard of it. */
async function isIgnored(webhook: { body: string; headers: Readonly<Record<string, string>> }): Promise<number> {
  const [head, calls] = [await shop.shop.log.head(), shop.double.calls.length]
  const status = await shop.hook(webhook)
  expect(await shop.shop.log.head()).toBe(head)
  expect(shop.double.calls).toHaveLength(calls)
  return status
}

describe('a webhook of Cashfree', () => {
  it('is answered once the log has its payment, and asked about once', async () => {
    const { orderId, paymentId } = await shop.opened()
    expect(await shop.double.act(paymentId, { do: 'pay' })).toEqual([200])
    expect((await shop.get(`/api/orders/${orderId}`)).body['paymentStatus']).toBe('completed')
    expect(await isIgnored(shop.double.webhook(paymentId))).toBe(200)
  })

  it('that was parsed and written again on its way is refused', async () => {
    const { paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: 'pay', amount: '170.00', webhooks: 0 })
    const { body, headers } = shop.double.webhook(paymentId)
    expect(body).toContain('"payment_amount":170.00')
    expect(await isIgnored({ body: JSON.stringify(JSON.parse(body)), headers })).toBe(401)
    expect(await shop.hook({ body, headers })).toBe(200)
  })

  it('that nobody signed, or at another time, is refused', async () => {
    const { paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: 'pay', webhooks: 0 })
    const { body, headers } = shop.double.webhook(paymentId)
    expect(await isIgnored({ body, headers: {} })).toBe(401)
    expect(await isIgnored({ body, headers: { ...headers, 'x-webhook-timestamp': '1' } })).toBe(401)
  })

  it('that names no payment of this shop asks nobody', async () => {
    for (const [status, body] of [
      [400, 'nonsense'],
      [400, '{"type":5}'],
      [200, '{"type":"SETTLEMENT","data":{"settlement":{}}}'],
      [200, '{"type":"PAYMENT_SUCCESS_WEBHOOK","data":{"order":{"order_id":"PC-1002"}}}'],
    ] as const)
      expect(await isIgnored(shop.double.signed(body))).toBe(status)
  })

  it('of a refund leads to its payment', async () => {
    const { orderId, paymentId } = await shop.opened()
    await shop.double.act(paymentId, { do: 'pay' })
    expect(await shop.double.act(paymentId, { do: 'refund' })).toEqual([200])
    const types = (await shop.eventsOf(`order-${orderId}`)).map(({ type }) => type)
    expect(types).toContain('PaymentReversed')
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { timeoutFor } from '../../payments/testing/double.ts'
import { receiptStream } from '../../shop/keys.ts'
import { type ProviderShop, startProviderShop } from '../../testing/start-provider-shop.ts'

const PAID = ['OrderPlaced', 'PaymentRequested', 'PaymentStarted', 'PaymentReceived', 'OrderCompleted']

let shop: ProviderShop<'upigateway'>
beforeAll(async () => {
  shop = await startProviderShop('upigateway')
})
afterAll(async () => shop.stop())

async function counted(result: string): Promise<number> {
  const { text } = await shop.get('/metrics')
  return Number(new RegExp(`coinshop_webhooks_total\\{.*result="${result}"\\} (\\d+)`).exec(text)?.[1] ?? 0)
}

/** Answers how many calls to the provider it caused; the log must not have changed. */
async function callsOf(send: () => Promise<unknown>): Promise<number> {
  const [head, calls] = [await shop.shop.log.head(), shop.double.calls.length]
  await send()
  expect(await shop.shop.log.head()).toBe(head)
  return shop.double.calls.length - calls
}

describe('a webhook of UPIGateway', () => {
  it('of one payment is looked at once in a while, however often it comes', async () => {
    const { orderId, paymentId } = await shop.opened()
    const before = await counted('limited')
    const webhook = shop.double.webhook(paymentId)
    const send = async () => Promise.all(Array.from({ length: 20 }, async () => shop.hook(webhook)))
    expect(await callsOf(send)).toBe(1)
    expect(await counted('limited')).toBe(before + 19)
    // The workers find what was not looked at.
    await shop.double.act(paymentId, { do: 'pay' })
    await shop.work(orderId)
    expect(await shop.typesOf(orderId)).toEqual(PAID)
  })

  it('that names no payment of this shop is answered 200, costs no call and is counted', async () => {
    for (const [body, result] of [
      ['', 'malformed'],
      ['status=success', 'malformed'],
      ['{"client_txn_id":"A"}', 'malformed'],
      ['client_txn_id=PC-1001&status=success', 'foreign'],
      ['\0%ff&client_txn_id=%00', 'foreign'],
    ] as const) {
      const before = await counted(result)
      expect(await callsOf(async () => expect(await shop.hook(shop.double.signed(body))).toBe(200))).toBe(0)
      expect(await counted(result)).toBe(before + 1)
    }
  })

  it('of money whose order is not here is noted by its receipt', async () => {
    const reference = shop.shop.keys.reference('00000000-0000-4000-8000-000000000000', 1)
    const asked = { client_txn_id: reference, amount: '194.63', p_info: '5M', redirect_url: 'https://shop.example' }
    const buyer = { customer_name: 'a', customer_email: 'a@b.c', customer_mobile: '9876543210' }
    shop.double.open({ ...asked, ...buyer })
    shop.double.happen(reference, { do: 'pay', utr: '800000000001' })
    await expect
      .poll(
        async () => {
          await shop.hook(shop.double.webhook(reference))
          return (await shop.eventsOf(receiptStream('upigateway', '800000000001'))).map(({ type }) => type)
        },
        { timeout: 15_000, interval: 500 },
      )
      .toEqual(['ReceiptUnplaced'])
  })
})

it('a webhook while the provider is in trouble is answered 200, and is looked at again', async () => {
  const own = await startProviderShop('upigateway', {
    webhookMs: timeoutFor('slow'),
    timeoutMs: 2 * timeoutFor('slow'),
  })
  const { orderId, paymentId } = await own.opened()
  own.double.fail({ answer: 'slow', on: 'check' })
  expect(await own.double.act(paymentId, { do: 'pay' })).toEqual([200])
  expect(own.lookedLater).toEqual([{ provider: 'upigateway', paymentId, reference: paymentId }])
  own.advance(5_000)
  await own.work(orderId)
  expect(await own.typesOf(orderId)).toEqual(PAID)
  await own.stop()
})

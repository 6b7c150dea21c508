import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordPayment } from '../../commands/record-payment.ts'
import { receiptStream } from '../../shop/keys.ts'
import { systemCaller } from '../../shop/shop.ts'
import { type LiveShop, startLiveShop } from '../../testing/start-live-shop.ts'

const MISSING = '00000000-0000-4000-8000-000000000000'
const LIST = '/api/admin/unplaced-payments'

let live: LiveShop
let token: string
beforeAll(async () => {
  live = await startLiveShop()
  token = await live.logIn()
})
afterAll(async () => live.stop())

/** Money that names an order which is not in the log; answers its id at the provider. */
async function unplaced(attempt: number): Promise<string> {
  const id = live.double.foreign({ orderId: live.shop.keys.reference(MISSING, attempt) })
  await live.double.act(id, { do: 'pay' })
  const { body, signature } = live.double.webhook(id)
  expect(await live.hook(body, signature)).toBe(200)
  live.advance(60_000)
  return id
}

async function listed(): Promise<unknown[]> {
  const { body } = await live.get(LIST, { token })
  return (body['payments'] as { receiptId: string }[]).map(({ receiptId }) => receiptId)
}

const settle = async (receiptId: string, outcome = 'paid-back') =>
  live.post(`${LIST}/settle`, { provider: 'nowpayments', receiptId, outcome }, { token })

describe('money without an order', () => {
  it('is listed page by page, the oldest first', async () => {
    const ids = [await unplaced(1), await unplaced(2)]
    const first = await live.get(`${LIST}?limit=1`, { token })
    expect(first.body).toMatchObject({
      payments: [{ provider: 'nowpayments', receiptId: ids[0], amount: '0.29411765', currency: 'ltc' }],
      total: 2,
    })
    const next = await live.get(`${LIST}?limit=1&cursor=${String(first.body['next'])}`, { token })
    expect(next.body).toMatchObject({ payments: [{ receiptId: ids[1] }], next: null })
    expect((await live.get(`${LIST}?cursor=nonsense`, { token })).status).toBe(400)
  })

  it('leaves the list when staff settle it, which is noted with who and how', async () => {
    const id = await unplaced(3)
    expect(await listed()).toContain(id)
    for (let turn = 0; turn < 2; turn += 1) expect((await settle(id, 'coins-given')).status).toBe(200)
    expect(await listed()).not.toContain(id)
    const [, settled, ...more] = await live.eventsOf(receiptStream('nowpayments', id))
    expect(settled).toMatchObject({ type: 'ReceiptUnplacedSettled', metadata: { actor: 'staff' } })
    expect(settled?.data).toMatchObject({ outcome: 'coins-given', adminId: expect.any(String) as string })
    expect(more).toEqual([])
  })

  it('is not settled where there is none, or by a word that is none', async () => {
    const { paymentId } = await live.opened()
    await live.double.act(paymentId, { do: 'pay' })
    for (const id of [paymentId, 'nonsense'])
      expect(await settle(id)).toMatchObject({ status: 409, body: { code: 'receipt/not-unplaced' } })
    expect((await settle(paymentId, 'keep it')).status).toBe(400)
  })

  it('that staff settled needs attention when its order turns up, and pays nothing', async () => {
    const id = await unplaced(4)
    await settle(id)
    const { orderId } = await live.opened()
    const receipt = { receiptId: id, amount: '1', currency: 'ltc', askedAmount: '1', reversedAmount: '0' }
    const report = { status: 'received', amountPaid: '1', receipts: [receipt] } as const
    for (let turn = 0; turn < 2; turn += 1)
      await recordPayment(live.shop, systemCaller(live.shop.random), { orderId, attempt: 1, report })
    expect(await live.order(orderId)).toMatchObject({ paidCents: 0, attention: { reasons: ['receipt-refused'] } })
    expect((await live.typesOf(orderId)).filter((type) => type === 'OrderNeedsAttention')).toHaveLength(1)
  })
})

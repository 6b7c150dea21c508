import { beforeAll, expect, it } from 'vitest'
import { receiptStream } from '../../shop/keys.ts'
import { MISSING } from '../../testing/orders.ts'
import { providerOfTest, suiteProvider } from '../../testing/shops.ts'

const LIST = '/api/admin/unplaced-payments'
const CHECK = '/api/admin/providers/check-keys'

const live = suiteProvider('nowpayments')
let token: string
beforeAll(async () => {
  token = await live.logIn()
})

/** Money that names an order which does not exist. Returns its id at the provider. */
async function unplaced(attempt: number): Promise<string> {
  const id = live.double.foreign({ reference: live.context.keys.reference(MISSING, attempt) })
  await live.double.act(id, { do: 'pay' })
  expect(await live.hook(live.double.webhook(id))).toBe(200)
  live.advance(60_000)
  await live.caughtUp()
  return id
}

async function listed(): Promise<unknown[]> {
  const { body } = await live.get(LIST, { token })
  return (body['payments'] as { receiptId: string }[]).map(({ receiptId }) => receiptId)
}

const settle = async (receiptId: string) =>
  live.post(`${LIST}/settle`, { provider: 'nowpayments', receiptId, outcome: 'coins-given' }, { token })

it('money without an order is listed page by page, the oldest first', async () => {
  const ids = [await unplaced(1), await unplaced(2)]
  const first = await live.get(`${LIST}?limit=1`, { token })
  expect(first.body).toMatchObject({
    payments: [{ provider: 'nowpayments', receiptId: ids[0], amount: '0.29411765', currency: 'ltc' }],
    total: 2,
  })
  const next = await live.get(`${LIST}?limit=1&cursor=${String(first.body['next'])}`, { token })
  expect(next.body).toMatchObject({ payments: [{ receiptId: ids[1] }], next: null })
})

it('settled money leaves the list, and the log has who settled it and how', async () => {
  const id = await unplaced(3)
  expect(await listed()).toContain(id)
  for (let turn = 0; turn < 2; turn += 1) expect((await settle(id)).status).toBe(200)
  expect(await listed()).not.toContain(id)
  const [, settled, ...more] = await live.eventsOf(receiptStream('nowpayments', id))
  expect(settled).toMatchObject({ type: 'ReceiptUnplacedSettled', metadata: { actor: 'staff' } })
  expect(settled?.data).toMatchObject({ outcome: 'coins-given', adminId: expect.any(String) as string })
  expect(more).toEqual([])
})

interface State {
  readonly providers: readonly Record<string, unknown>[]
}

const states = async () => (await live.get('/api/admin/providers', { token })).body as unknown as State
const check = async () => live.post(CHECK, { provider: 'nowpayments' }, { token })
const isAway = async (orderId: string) => (await live.get(`/api/orders/${orderId}`)).body['providerIsAway']

it('buyer and staff are shown that a provider is away and when it is back', async () => {
  const { orderId } = await live.opened()
  expect(await isAway(orderId)).toBe(false)
  const since = new Date(live.now()).toISOString()
  live.double.fail({ answer: '500', on: 'check', times: 4 })
  for (let turn = 0; turn < 4; turn += 1) {
    await live.work(orderId)
    live.advance(turn === 3 ? 2_000 : 15_000)
  }
  expect(await isAway(orderId)).toBe(true)
  const [state] = (await states()).providers
  expect(state).toMatchObject({ provider: 'nowpayments', methods: ['crypto'], awaySince: since })
  expect(state?.['reason']).toBe('the provider answered 500')

  live.advance(60_000)
  await live.work(orderId)
  live.advance(2_000)
  expect(await isAway(orderId)).toBe(false)
  expect((await states()).providers).toMatchObject([{ awaySince: null, reason: null }])
})

it('a provider shows its webhook address, the last webhook and the last rejected one', async () => {
  const { paymentId } = await live.opened()
  const came = new Date(live.now()).toISOString()
  await live.double.act(paymentId, { do: 'pay' })
  live.advance(120_000)
  const refused = new Date(live.now()).toISOString()
  expect(await live.hook({ body: '{}', headers: { 'x-nowpayments-sig': 'nonsense' } })).toBe(401)
  live.advance(2_000)
  expect((await states()).providers).toMatchObject([
    {
      webhookAddress: `${live.context.config.PUBLIC_URL}/api/webhooks/nowpayments`,
      lastWebhookAt: came,
      refusedWebhookAt: refused,
    },
  ])
})

it('a webhook is shown as the last one when its check ends, however late', async () => {
  const slow = await providerOfTest('nowpayments', { webhookMs: 50 })
  const { paymentId } = await slow.opened()
  const release = slow.double.hold('check')
  const token = await slow.logIn()
  const lastWebhookAt = async () => {
    const { body } = await slow.get('/api/admin/providers', { token })
    return (body['providers'] as { lastWebhookAt: string | null }[]).map((provider) => provider.lastWebhookAt)
  }
  expect(await slow.double.act(paymentId, { do: 'pay' })).toEqual([503])
  expect(await lastWebhookAt()).toEqual([null])
  release()
  await expect.poll(lastWebhookAt).toEqual([new Date(slow.now()).toISOString()])
})

it('a signed webhook is shown as the last one when its check fails', async () => {
  const failing = await providerOfTest('nowpayments')
  const { paymentId } = await failing.opened()
  failing.double.fail({ answer: '500', on: 'check' })
  expect(await failing.double.act(paymentId, { do: 'pay' })).toEqual([503])
  const { body } = await failing.get('/api/admin/providers', { token: await failing.logIn() })
  expect(body['providers']).toMatchObject([{ lastWebhookAt: new Date(failing.now()).toISOString() }])
})

it('staff check the keys of a provider, at most every few seconds', async () => {
  live.advance(60_000)
  expect((await check()).body).toMatchObject({ providers: [{ keys: { are: 'accepted', reason: null } }] })
  live.advance(10_000)
  live.double.fail({ answer: 'forbidden' })
  const calls = live.double.calls.length
  const refused = { keys: { are: 'refused', reason: 'Invalid api key' } }
  for (let turn = 0; turn < 3; turn += 1) expect((await check()).body).toMatchObject({ providers: [refused] })
  expect(live.double.calls).toHaveLength(calls + 1)
  live.advance(10_000)
  live.double.fail({ answer: '500' })
  const unknown = { keys: { are: 'unknown', reason: 'the provider answered 500' } }
  expect((await check()).body).toMatchObject({ providers: [unknown] })
})

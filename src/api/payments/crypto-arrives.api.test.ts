import { expect } from 'vitest'
import { type ProviderShop, startProviderShop } from '../../testing/start-provider-shop.ts'
import {
  DAY_MS,
  deliver,
  HOURS_MS,
  MISSING,
  opened,
  type Plays,
  refund,
  testArrivals,
} from '../../testing/arrival-rows.ts'
import { placedBy } from '../../testing/orders.ts'

type CryptoShop = ProviderShop<'nowpayments'>

/** Answers the id of the payment that is open now. */
async function requoted(live: CryptoShop, orderId: string, replaces: string): Promise<string> {
  const { body } = await live.create(orderId, { replaces })
  expect(body['payment_id']).not.toBe(replaces)
  return String(body['payment_id'])
}

const plays: Plays<CryptoShop> = {
  'in full': (live) => opened(live, (id) => live.double.act(id, { do: 'pay' })),
  'in full, and the browser never comes back, and no webhook comes': (live) =>
    opened(live, (id) => live.double.act(id, { do: 'pay', webhooks: 0 })),
  'seen, then confirmed': (live) =>
    opened(live, async (id) => {
      for (const word of ['confirming', 'confirmed', 'sending']) await live.double.act(id, { do: word })
      await live.double.act(id, { do: 'pay' })
    }),
  'seen, and never confirmed for a day': (live) =>
    opened(live, async (id) => {
      await live.double.act(id, { do: 'confirming' })
      live.advance(DAY_MS)
    }),
  'too little, then the rest to the same address': (live) =>
    opened(live, async (id) => {
      await live.double.act(id, { do: 'short' })
      await live.double.act(id, { do: 'again' })
    }),
  'within half a percent of the amount': (live) =>
    opened(live, (id) => live.double.act(id, { do: 'partially_paid', amount: '0.0264' })),
  'twice, to the same address': (live) =>
    opened(live, async (id) => {
      await live.double.act(id, { do: 'pay' })
      await live.double.act(id, { do: 'again', amount: '0.02647059' })
    }),
  'to an address whose quote was replaced': (live) =>
    opened(live, async (id, orderId) => {
      await requoted(live, orderId, id)
      await live.double.act(id, { do: 'pay' })
    }),
  'in part to an address whose quote was replaced, then the rest to a fresh one': (live) =>
    opened(live, async (id, orderId) => {
      await requoted(live, orderId, id)
      await live.double.act(id, { do: 'short' })
      const { body } = await live.create(orderId, { amount: '1.13' })
      await live.double.act(String(body['payment_id']), { do: 'pay' })
    }),
  'twice, to the address of a replaced quote and to the fresh one': (live) =>
    opened(live, async (id, orderId) => {
      const fresh = await requoted(live, orderId, id)
      await live.double.act(fresh, { do: 'pay' })
      await live.double.act(id, { do: 'pay' })
    }),
  'in a coin that needs a memo': async (live) => {
    const orderId = await placedBy(live)
    const { body } = await live.create(orderId, { payCurrency: 'xrp' })
    expect(body).toMatchObject({ pay_currency: 'xrp', memo: expect.stringMatching(/^\d+$/) as string })
    await live.double.act(String(body['payment_id']), { do: 'pay' })
    return orderId
  },
  'an amount that grows under one id': (live) =>
    opened(live, async (id) => {
      await live.double.act(id, { do: 'partially_paid', amount: '0.01' })
      await live.double.act(id, { do: 'finished', amount: '0.02647059' })
    }),
  'taken back before the hand-over': (live) =>
    opened(live, async (id) => {
      await live.double.act(id, { do: 'pay' })
      await live.double.act(id, { do: 'refunded' })
    }),
  'in full, then refunded after the hand-over; the provider reports it, too': (live) =>
    opened(live, async (id, orderId) => {
      await live.double.act(id, { do: 'pay' })
      await deliver(live, orderId)
      await refund(live, orderId)
      await live.double.act(id, { do: 'refunded' })
    }),
  'stuck in a payment that failed, for a day': (live) =>
    opened(live, async (id) => {
      await live.double.act(id, { do: 'failed', amount: '0.02647059' })
      live.advance(DAY_MS)
    }),
  'never: the payment fails': (live) => opened(live, (id) => live.double.act(id, { do: 'failed' })),
  'in another coin, or over another network': (live) =>
    opened(live, (id) => live.double.act(id, { do: 'again', amount: '5', coin: 'usdttrc20' })),
  'while the provider is away for two hours': (live) =>
    opened(live, async (id, orderId) => {
      live.double.fail({ answer: '500', on: 'check', times: 3 })
      await live.double.act(id, { do: 'pay', webhooks: 0 })
      live.advance(HOURS_MS)
      await live.work(orderId)
      live.advance(DAY_MS)
      live.double.fail({ answer: 'html', on: 'check' })
      for (let turn = 0; turn < 4; turn += 1) {
        await live.work(orderId)
        live.advance(60_000)
      }
    }),
  'a status word that nobody knows': (live) => opened(live, (id) => live.double.act(id, { do: 'levitating' })),
  'an amount that makes no sense': (live) =>
    opened(live, (id) => live.double.act(id, { do: 'pay', amount: '99999999999' })),
  'at an address whose opening went unanswered': async (live) => {
    const orderId = await placedBy(live)
    live.double.fail({ answer: 'lost', on: 'create' })
    expect((await live.create(orderId)).status).toBe(503)
    const [lost = ''] = live.double.paymentIds()
    // The provider is given a pause after the failure.
    live.advance(2_000)
    await live.double.act(lost, { do: 'pay' })
    await live.work(orderId)
    return orderId
  },
  'at the first of two addresses, whose opening went unanswered': async (live) => {
    const orderId = await placedBy(live)
    live.double.fail({ answer: 'lost', on: 'create' })
    await live.create(orderId)
    await live.create(orderId)
    const [lost = '', shown = ''] = live.double.paymentIds()
    await live.double.act(lost, { do: 'pay' })
    // What became of the first is not forgotten.
    await live.double.act(shown, { do: 'expired' })
    await live.work(orderId)
    return orderId
  },
  'to another order: its webhook names this one': (live) =>
    opened(live, async (_, orderId) => {
      const other = await live.opened()
      await live.double.act(other.paymentId, { do: 'pay' })
      const order_id = live.shop.keys.reference(orderId, 1)
      expect(await live.hook(live.double.webhook(other.paymentId, { signed: { order_id } }))).toBe(200)
    }),
  'under a reference that names no order in the log': async (live) => {
    const id = live.double.foreign({ reference: live.shop.keys.reference(MISSING, 1) })
    await live.double.act(id, { do: 'pay' })
    expect(await live.hook(live.double.webhook(id))).toBe(200)
    return MISSING
  },
}

testArrivals({
  heading: 'How coins arrive',
  plays,
  start: async (options) => startProviderShop('nowpayments', options),
  async newsAgain(live) {
    for (const id of live.double.paymentIds()) await live.double.act(id, { do: live.double.known(id).status })
  },
  unplaced: (live) => ({ provider: 'nowpayments', receiptId: live.double.paymentIds()[0] }),
})

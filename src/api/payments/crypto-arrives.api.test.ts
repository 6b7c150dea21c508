import { expect } from 'vitest'
import {
  acting,
  actingUnanswered,
  DAY_MS,
  MISSING,
  opened,
  type Plays,
  testArrivals,
} from '../../testing/arrival-rows.ts'
import type { ProviderShop } from '../../testing/start-provider-shop.ts'

/** Answers the id of the payment that is open now. */
async function requoted(live: ProviderShop<'nowpayments'>, orderId: string, replaces: string): Promise<string> {
  const { body } = await live.create(orderId, { replaces })
  expect(body['payment_id']).not.toBe(replaces)
  return String(body['payment_id'])
}

const plays: Plays<'nowpayments'> = {
  'in full': acting('pay'),
  'in full, and the browser never comes back, and no webhook comes': acting({ do: 'pay', webhooks: 0 }),
  'seen, then confirmed': acting('confirming', 'confirmed', 'sending', 'pay'),
  'seen, and never confirmed for a day': acting('confirming', DAY_MS),
  'too little, then the rest to the same address': acting('short', 'again'),
  'within half a percent of the amount': acting({ do: 'partially_paid', amount: '0.0264' }),
  'twice, to the same address': acting('pay', { do: 'again', amount: '0.02647059' }),
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
      for (const paid of [fresh, id]) await live.double.act(paid, { do: 'pay' })
    }),
  'taken back before the hand-over': acting('pay', 'refunded'),
  'stuck in a payment that failed, for a day': acting({ do: 'failed', amount: '0.02647059' }, DAY_MS),
  'never: the payment fails': acting('failed'),
  'in another coin, or over another network': acting({ do: 'again', amount: '5', coin: 'usdttrc20' }),
  'a status word that nobody knows': acting('levitating'),
  'an amount that makes no sense': acting({ do: 'pay', amount: '99999999999' }),
  'at an address whose opening went unanswered': actingUnanswered('pay'),
  'at the first of two addresses, whose opening went unanswered': async (live) => {
    const orderId = await live.placed()
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
    live.double.happen(id, { do: 'pay' })
    expect(await live.hook(live.double.webhook(id))).toBe(200)
    return MISSING
  },
}

testArrivals({
  gateway: 'nowpayments',
  table: 'NOWPayments',
  plays,
  async newsAgain(live) {
    for (const id of live.double.paymentIds()) await live.double.act(id, { do: live.double.known(id).status })
  },
  unplaced: ({ double }) => double.paymentIds()[0],
})

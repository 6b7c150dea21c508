import { expect } from 'vitest'
import { DAY_MS, HOURS_MS, opened, type Plays, testArrivals } from '../../testing/arrival-rows.ts'
import { type ProviderShop, startProviderShop } from '../../testing/start-provider-shop.ts'

const plays: Plays<ProviderShop<'cashfree'>> = {
  'in full': (live) => opened(live, (id) => live.double.act(id, { do: 'pay' })),
  'in full, and the browser never comes back, and no webhook comes': (live) =>
    opened(live, (id) => live.double.act(id, { do: 'pay', webhooks: 0 })),
  'after tries that failed or were left, and one that took its time': (live) =>
    opened(live, async (id, orderId) => {
      for (const what of ['drop', 'fail', 'pend', 'pay']) {
        await live.double.act(id, { do: what })
        await live.work(orderId)
      }
    }),
  'never: the payer leaves the checkout': (live) =>
    opened(live, async (id) => {
      await live.double.act(id, { do: 'drop' })
      live.advance(HOURS_MS)
    }),
  'never: the payer’s try fails': (live) => opened(live, (id) => live.double.act(id, { do: 'fail' })),
  'seen, and never confirmed for a day': (live) =>
    opened(live, async (id, orderId) => {
      await live.double.act(id, { do: 'pend' })
      await live.work(orderId)
      live.advance(DAY_MS + HOURS_MS)
    }),
  'as a try that succeeded, at an order that is still open': (live) =>
    opened(live, async (id) => {
      await live.double.act(id, { do: 'pay', webhooks: 0 })
      live.double.happen(id, { do: 'ACTIVE' })
    }),
  'with a surcharge of the gateway’s': (live) =>
    opened(live, (id) => live.double.act(id, { do: 'pay', amount: '250.00' })),
  'by two tries of one order': (live) =>
    opened(live, async (id) => {
      await live.double.act(id, { do: 'pay' })
      await live.double.act(id, { do: 'again' })
    }),
  'never: a webhook only says so': (live) =>
    opened(live, async (id) => {
      await live.double.act(id, { do: 'fail', webhooks: 0 })
      const { body } = live.double.webhook(id)
      const lie = body.replaceAll('"FAILED"', '"SUCCESS"').replace('PAYMENT_FAILED', 'PAYMENT_SUCCESS')
      live.double.happen(id, { do: 'drop' })
      live.double.known(id).tries.shift()
      expect(await live.hook(live.double.signed(lie))).toBe(200)
    }),
  'at a payment whose opening went unanswered': async (live) => {
    const orderId = await live.placed()
    live.double.fail({ answer: 'lost', on: 'create' })
    expect((await live.create(orderId)).status).toBe(503)
    // The provider is given a pause after the failure.
    live.advance(2_000)
    await live.double.act(live.double.paymentIds()[0] ?? '', { do: 'pay' })
    await live.work(orderId)
    return orderId
  },
  'at a payment that was opened again after a lost answer, with another phone number': async (live) => {
    const orderId = await live.placed()
    live.double.fail({ answer: 'lost', on: 'create' })
    await live.create(orderId)
    live.advance(2_000)
    expect((await live.create(orderId, { customerInfo: { customerPhone: '9123456780' } })).status).toBe(200)
    const [only = '', ...others] = live.double.paymentIds()
    expect(others).toEqual([])
    await live.double.act(only, { do: 'pay' })
    await live.work(orderId)
    return orderId
  },
}

testArrivals({
  heading: 'By Cashfree',
  plays,
  start: async (options) => startProviderShop('cashfree', options),
  async newsAgain(live) {
    for (const id of live.double.paymentIds()) await live.hook(live.double.webhook(id))
  },
})

import { expect } from 'vitest'
import {
  acting,
  actingUnanswered,
  DAY_MS,
  HOURS_MS,
  opened,
  type Plays,
  testArrivals,
  unanswered,
} from '../../testing/arrival-rows.ts'

const plays: Plays<'cashfree'> = {
  'in full': acting('pay'),
  'in full, and the browser never comes back, and no webhook comes': acting({ do: 'pay', webhooks: 0 }),
  'after tries that failed or were left, and one that took its time': acting('drop', 0, 'fail', 0, 'pend', 0, 'pay'),
  'never: the payer leaves the checkout': acting('drop', HOURS_MS),
  'never: the payer’s try fails': acting('fail'),
  'seen, and never confirmed for a day': acting('pend', DAY_MS + HOURS_MS),
  'as a try that succeeded, at an order that is still open': (live) =>
    opened(live, async (id) => {
      live.double.happen(id, { do: 'pay' })
      live.double.happen(id, { do: 'ACTIVE' })
    }),
  'with a surcharge of the gateway’s': acting({ do: 'pay', amount: '250.00' }),
  'by two tries of one order': acting('pay', 'again'),
  'disputed before the hand-over, and won': acting('pay', 'dispute', 'win'),
  'disputed before the hand-over, and lost': acting('pay', 'dispute', 'lose'),
  'refunded by the gateway itself': acting('pay', 'auto-refund'),
  'never: a webhook only says so': (live) =>
    opened(live, async (id) => {
      live.double.happen(id, { do: 'fail' })
      const { body } = live.double.webhook(id)
      const lie = body.replaceAll('"FAILED"', '"SUCCESS"').replace('PAYMENT_FAILED', 'PAYMENT_SUCCESS')
      live.double.happen(id, { do: 'drop' }).tries.shift()
      expect(await live.hook(live.double.signed(lie))).toBe(200)
    }),
  'at a payment whose opening went unanswered': actingUnanswered('pay'),
  'at a payment that was opened again after a lost answer, with another phone number': async (live) => {
    const { orderId, lost } = await unanswered(live)
    expect((await live.create(orderId, { customerInfo: { customerPhone: '9123456780' } })).status).toBe(200)
    expect(live.double.paymentIds()).toEqual([lost])
    await live.double.act(lost, { do: 'pay' })
    await live.work(orderId)
    return orderId
  },
}

testArrivals({
  gateway: 'cashfree',
  table: 'Cashfree',
  plays,
  async newsAgain(live) {
    for (const id of live.double.paymentIds()) await live.hook(live.double.webhook(id))
  },
})

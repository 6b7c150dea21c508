import { expect } from 'vitest'
import { changeSettings } from '../../commands/change-settings.ts'
import { systemCaller } from '../../shop/shop.ts'
import { gatewayOf } from '../../payments/testing/samples.ts'
import { CashfreeDouble } from '../../payments/cashfree/testing/cashfree-double.ts'
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

/** A second before midnight in India; the shop of a test begins at 2026-01-01T00:00Z. */
const TO_MIDNIGHT_MS = 18.5 * 3_600_000 - 1_000
/** A failure is believed when it is reported again. */
const failed = ['fail', 10_000, { do: 'fail', webhooks: 0 }, 0] as const

const plays: Plays<'upigateway'> = {
  'in full': acting('pay'),
  'in full, and the browser never comes back, and no webhook comes': acting({ do: 'pay', webhooks: 0 }),
  'after the payment page was only looked at': (live) =>
    opened(live, async (id, orderId) => {
      await live.double.act(id, { do: 'scan' })
      await live.work(orderId)
      expect((await live.order(orderId))['paymentStatus']).toBe('waiting')
      await live.double.act(id, { do: 'pay' })
    }),
  'never: the payment fails or is cancelled': acting(...failed),
  'after it was reported as failed': acting(...failed, { do: 'pay', webhooks: 0 }),
  'on the day after it was asked for, in India': async (live) => {
    live.advance(TO_MIDNIGHT_MS)
    return acting(2_000, { do: 'pay', webhooks: 0 })(live)
  },
  'without the number of its transfer, for a day': acting({ do: 'pay', utr: ' ', webhooks: 0 }, DAY_MS + HOURS_MS),
  'under a word that nobody knows, with the number of its transfer': acting(
    { do: 'levitating', utr: '600000000009' },
    DAY_MS + HOURS_MS,
  ),
  'never: a webhook only says so': (live) =>
    opened(live, async (id) => {
      const calls = live.double.calls.length
      const lie = { status: 'success', upi_txn_id: 'UTR1', amount: '999999' }
      expect(await live.hook(live.double.webhook(id, { forged: lie }))).toBe(200)
      expect(live.double.calls.slice(calls).map(({ path }) => path)).toEqual(['/api/check_order_status'])
    }),
  'by the transfer that has paid another order': (live) =>
    opened(live, async (id) => {
      const other = await live.opened()
      await live.double.act(other.paymentId, { do: 'pay', utr: '600000000001' })
      expect((await live.order(other.orderId))['paymentStatus']).toBe('completed')
      await live.double.act(id, { do: 'pay', utr: '600000000001' })
    }),
  'at a payment whose opening went unanswered': actingUnanswered('pay'),
  'at the second of two payments, the opening of the first went unanswered': async (live) => {
    const { orderId } = await unanswered(live)
    expect((await live.create(orderId)).status).toBe(200)
    await live.double.act(live.double.paymentIds()[1] ?? '', { do: 'pay' })
    await live.work(orderId)
    return orderId
  },
  'by both of two methods, after switching between them': (live) =>
    opened(live, async (id, orderId) => {
      await live.post('/api/crypto/create-payment', { amount: '2.25', orderId, payCurrency: 'ltc' })
      await live.double.act(id, { do: 'pay' })
      await live.pay(orderId)
    }),
  'at both of two gateways, after the owner switched between them': async (live) => {
    const now = () => live.now()
    const double = await new CashfreeDouble({ now }).listen()
    const { upi } = live.shop.providers
    Object.assign(live.shop.providers, {
      upi: [...upi, gatewayOf('cashfree', double.env, { now })],
    })
    const orderId = await opened(live, async (id, itself) => {
      const changed = { changes: { upiGateway: 'cashfree' }, adminId: null, seenRevision: undefined } as const
      await changeSettings(live.shop, systemCaller(live.shop.random), changed)
      expect((await live.create(itself)).status).toBe(200)
      const [there = ''] = double.paymentIds()
      await double.act(there, { do: 'pay' })
      await live.double.act(id, { do: 'pay' })
    })
    await double.stop()
    return orderId
  },
}

testArrivals({
  gateway: 'upigateway',
  table: 'EKQR',
  plays,
  async newsAgain(live) {
    for (const id of live.double.paymentIds()) await live.hook(live.double.webhook(id))
  },
})

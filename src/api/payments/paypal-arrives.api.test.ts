import { expect } from 'vitest'
import { expireOrder } from '../../commands/order-verbs.ts'
import type { Act } from '../../payments/testing/double.ts'
import { systemCaller } from '../../shop/shop.ts'
import {
  acting,
  actingUnanswered,
  deliver,
  HOURS_MS,
  MISSING,
  opened,
  type Plays,
  testArrivals,
  unanswered,
} from '../../testing/arrival-rows.ts'
import type { ProviderShop } from '../../testing/start-provider-shop.ts'

type PaypalShop = ProviderShop<'paypal'>

const MINUTE_MS = 60_000
const DECLINED = { capture: 'INSTRUMENT_DECLINED' }

/** The payer approves; neither browser nor webhook reports it. `act`: how a later capture ends. */
async function approved(live: PaypalShop, id: string, act: Partial<Act> = {}): Promise<void> {
  await live.double.act(id, { do: 'approve', webhooks: 0, ...act })
}

/** The payer approves, and the browser asks for the capture. */
async function captured(live: PaypalShop, [id, orderId]: [string, string], act?: Partial<Act>): Promise<void> {
  await approved(live, id, act)
  await live.capture(orderId, id)
}

async function expire(live: PaypalShop, orderId: string): Promise<void> {
  live.advance(HOURS_MS)
  await expireOrder(live.shop, systemCaller(live.shop.random), { orderId })
}

/** The workers look at the order once a minute. */
async function workFor(live: PaypalShop, orderId: string, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    live.advance(MINUTE_MS)
    await live.work(orderId)
  }
}

function takenFrom(live: PaypalShop): number {
  return live.double.all().flatMap(({ captures }) => captures).length
}

const plays: Plays<'paypal'> = {
  'in full': (live) => opened(live, async (id, orderId) => captured(live, [id, orderId])),
  'in full, and the browser is closed after the approval': acting('approve'),
  'in full, and the browser never comes back, and no webhook comes': acting({ do: 'approve', webhooks: 0 }),
  'in full, and the answer to the capture is lost': (live) =>
    opened(live, async (id, orderId) => {
      live.double.fail({ answer: 'lost', on: 'capture' })
      await captured(live, [id, orderId])
      await workFor(live, orderId, 1)
      expect(takenFrom(live)).toBe(1)
    }),
  'in full, and PayPal is away until its capture is given up': (live) =>
    opened(live, async (id, orderId) => {
      live.double.fail({ answer: 'lost', on: 'capture' })
      await captured(live, [id, orderId])
      live.double.fail({ answer: '500', times: 100 })
      await workFor(live, orderId, 12)
      expect((await live.order(orderId))['attention']).toMatchObject({ reasons: ['capture-unknown'] })
      live.double.recover()
      live.advance(MINUTE_MS)
    }),
  'never: approved when the order has expired': (live) =>
    opened(live, async (id, orderId) => {
      await expire(live, orderId)
      expect(await live.double.act(id, { do: 'approve' })).toEqual([200])
      await live.capture(orderId, id)
      expect(takenFrom(live)).toBe(0)
    }),
  'never: the payer leaves PayPal’s window': (live) =>
    opened(live, async (id, orderId) => {
      expect((await live.capture(orderId, id)).status).toBe(409)
      live.advance(HOURS_MS)
    }),
  'never: PayPal voids the payment': acting('cancel'),
  'never: PayPal declines it': (live) => opened(live, async (id, orderId) => captured(live, [id, orderId], DECLINED)),
  'by a second try, after PayPal declined the first': (live) =>
    opened(live, async (id, orderId) => {
      await captured(live, [id, orderId], DECLINED)
      const second = String((await live.create(orderId)).body['id'])
      expect(second).not.toBe(id)
      await captured(live, [second, orderId])
    }),
  'after a review': (live) =>
    opened(live, async (id, orderId) => {
      await captured(live, [id, orderId], { capture: 'PENDING' })
      await live.work(orderId)
      await live.double.act(id, { do: 'complete' })
    }),
  'never: denied after a review': (live) =>
    opened(live, async (id, orderId) => {
      await captured(live, [id, orderId], { capture: 'PENDING' })
      await live.double.act(id, { do: 'deny' })
    }),
  'in another currency': (live) =>
    opened(live, async (id, orderId) => {
      await captured(live, [id, orderId], { currency: 'EUR' })
      await workFor(live, orderId, 12)
    }),
  'at a payment whose opening went unanswered': actingUnanswered('approve'),
  'at a payment that was opened again after a lost answer': async (live) => {
    const { orderId, lost } = await unanswered(live)
    expect((await live.create(orderId)).body['id']).toBe(lost)
    await captured(live, [lost, orderId])
    return orderId
  },
  'refunded in part at PayPal after the hand-over': (live) =>
    opened(live, async (id, orderId) => {
      await live.double.act(id, { do: 'approve' })
      await deliver(live, orderId)
      await live.double.act(id, { do: 'refund', amount: '1.00' })
    }),
  'taken back before the hand-over': acting('approve', 'reverse'),
  'disputed before the hand-over, and won': acting('approve', 'dispute', 'win'),
  'disputed before the hand-over, and the shop may not read disputes': (live) => {
    live.double.fail({ answer: 'forbidden', on: 'dispute', times: 10 })
    return acting('approve', 'dispute')(live)
  },
  'disputed before the shop has heard of the money': (live) =>
    opened(live, async (id, orderId) => {
      live.double.fail({ answer: 'lost', on: 'capture' })
      await captured(live, [id, orderId])
      live.advance(MINUTE_MS)
      expect(await live.double.act(id, { do: 'dispute' })).toEqual([200])
    }),
  'a status word that nobody knows': (live) =>
    opened(live, async (id, orderId) => {
      live.double.known(id).status = 'LEVITATING'
      await live.capture(orderId, id)
    }),
  'by a capture with a status word that nobody knows': (live) =>
    opened(live, async (id, orderId) => {
      live.double.fail({ answer: 'lost', on: 'capture' })
      await captured(live, [id, orderId])
      Object.assign(live.double.known(id).captures[0] ?? {}, { status: 'LEVITATING' })
      await workFor(live, orderId, 12)
    }),
  'to another order: its webhook names this one': (live) =>
    opened(live, async (_, orderId) => {
      const other = await live.opened()
      await live.double.act(other.paymentId, { do: 'approve' })
      const resource = { id: other.paymentId, custom_id: live.shop.keys.reference(orderId, 1) }
      const webhook = live.double.webhook(other.paymentId, { of: 'approve', signed: { resource } })
      expect(await live.hook(webhook)).toBe(200)
      expect((await live.capture(orderId, other.paymentId)).status).toBe(404)
    }),
  'under a reference that names no order in the log': async (live) => {
    const { id } = live.double.open({ reference: live.shop.keys.reference(MISSING, 1), value: '2.65' })
    live.double.happen(id, { do: 'approve' })
    live.double.capture(id)
    expect(await live.hook(live.double.webhook(id, { of: 'complete' }))).toBe(200)
    return MISSING
  },
}

testArrivals({
  gateway: 'paypal',
  table: 'PayPal',
  plays,
  async newsAgain(live) {
    for (const id of live.double.paymentIds()) {
      await live.hook(live.double.webhook(id, { of: 'approve' }))
      await live.hook(live.double.webhook(id, { of: 'CUSTOMER.DISPUTE.UPDATED' }))
    }
  },
  unplaced: ({ double }) => double.all()[0]?.captures[0]?.id,
})

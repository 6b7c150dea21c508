import { expect } from 'vitest'
import { expireOrder } from '../../commands/expire-order.ts'
import type { KnownPayment, PaymentProvider } from '../../payments/payment-provider.ts'
import type { Act } from '../../payments/testing/double.ts'
import { systemCaller } from '../../shop/shop.ts'
import { deliver, HOURS_MS, MISSING, opened, type Plays, testArrivals } from '../../testing/arrival-rows.ts'
import { placedBy } from '../../testing/orders.ts'
import { type ProviderShop, startProviderShop } from '../../testing/start-provider-shop.ts'

type PaypalShop = ProviderShop<'paypal'>

const MINUTE_MS = 60_000
const DECLINED = { capture: 'INSTRUMENT_DECLINED' }

/** A payment that PayPal took. */
async function paid(
  live: PaypalShop,
  happens: (paymentId: string, orderId: string) => Promise<unknown>,
): Promise<string> {
  return opened(live, async (id, orderId) => {
    await live.double.act(id, { do: 'approve' })
    await happens(id, orderId)
  })
}

/** The payer approves; neither browser nor webhook reports it. `act`: how a later capture ends. */
async function approved(live: PaypalShop, id: string, act: Partial<Act> = {}): Promise<void> {
  await live.double.act(id, { do: 'approve', webhooks: 0, ...act })
}

/** The payer approves, and the browser asks for the capture. */
async function captured(live: PaypalShop, [id, orderId]: [string, string], act?: Partial<Act>): Promise<void> {
  await approved(live, id, act)
  await live.capture(orderId, id)
}

/** Something happens to the order between a call to PayPal and its answer. */
function during(live: PaypalShop, call: 'check' | 'capture', happens: () => Promise<unknown>): void {
  const [paypal] = live.shop.providers.paypal as [Required<PaymentProvider>]
  async function late<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const known = await answer
    await happens()
    return known
  }
  const slow = {
    check: { check: async (known: KnownPayment) => late(paypal.check(known)) },
    capture: { capture: async (known: KnownPayment, requestId: string) => late(paypal.capture(known, requestId)) },
  }
  Object.assign(live.shop.providers, { paypal: [{ ...paypal, ...slow[call] }] })
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

const plays: Plays<PaypalShop> = {
  'in full': (live) => opened(live, async (id, orderId) => captured(live, [id, orderId])),
  'in full, and the browser is closed after the approval': (live) => paid(live, async () => undefined),
  'in full, and the browser never comes back, and no webhook comes': (live) =>
    opened(live, async (id) => approved(live, id)),
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
  'in full, while the order was about to expire': (live) =>
    opened(live, async (id, orderId) => {
      during(live, 'capture', async () => expire(live, orderId))
      await captured(live, [id, orderId])
    }),
  'never: the order expires between the approval and the capture': (live) =>
    opened(live, async (id, orderId) => {
      during(live, 'check', async () => expire(live, orderId))
      await captured(live, [id, orderId])
      expect(takenFrom(live)).toBe(0)
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
  'never: PayPal voids the payment': (live) => opened(live, (id) => live.double.act(id, { do: 'cancel' })),
  'never: PayPal declines it': (live) => opened(live, async (id, orderId) => captured(live, [id, orderId], DECLINED)),
  'never: PayPal declines it, and the answer that says so is lost': (live) =>
    opened(live, async (id, orderId) => {
      live.double.fail({ answer: 'lost', on: 'capture' })
      await captured(live, [id, orderId], DECLINED)
      await workFor(live, orderId, 1)
    }),
  'never: PayPal is away when the money is to be taken': (live) =>
    opened(live, async (id, orderId) => {
      live.double.fail({ answer: '500', on: 'capture', times: 100 })
      await captured(live, [id, orderId])
      await workFor(live, orderId, 12)
      live.double.recover()
      await workFor(live, orderId, 1)
      expect(takenFrom(live)).toBe(0)
    }),
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
  'by another method: the payer approves after that': (live) =>
    opened(live, async (id, orderId) => {
      await live.post('/api/crypto/create-payment', { amount: '2.25', orderId, payCurrency: 'ltc' })
      await live.pay(orderId)
      expect(await live.double.act(id, { do: 'approve' })).toEqual([200])
      await live.capture(orderId, id)
      expect(takenFrom(live)).toBe(0)
    }),
  'at a payment whose opening went unanswered': async (live) => {
    const orderId = await placedBy(live)
    live.double.fail({ answer: 'lost', on: 'create' })
    expect((await live.create(orderId)).status).toBe(503)
    const [lost = ''] = live.double.paymentIds()
    // The provider is given a pause after the failure.
    live.advance(2_000)
    expect(await live.double.act(lost, { do: 'approve' })).toEqual([200])
    await live.work(orderId)
    return orderId
  },
  'at a payment that was opened again after a lost answer': async (live) => {
    const orderId = await placedBy(live)
    live.double.fail({ answer: 'lost', on: 'create' })
    await live.create(orderId)
    live.advance(2_000)
    const id = String((await live.create(orderId)).body['id'])
    expect(live.double.paymentIds()).toEqual([id])
    await captured(live, [id, orderId])
    return orderId
  },
  'refunded in part at PayPal after the hand-over': (live) =>
    paid(live, async (id, orderId) => {
      await deliver(live, orderId)
      await live.double.act(id, { do: 'refund', amount: '1.00' })
    }),
  'taken back before the hand-over': (live) => paid(live, (id) => live.double.act(id, { do: 'reverse' })),
  'disputed before the hand-over, and won': (live) =>
    paid(live, async (id) => {
      await live.double.act(id, { do: 'dispute' })
      await live.double.act(id, { do: 'win' })
    }),
  'disputed before the hand-over, and the shop may not read disputes': (live) =>
    paid(live, async (id) => {
      live.double.fail({ answer: 'forbidden', on: 'dispute', times: 10 })
      await live.double.act(id, { do: 'dispute' })
    }),
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
  heading: 'By PayPal',
  plays,
  start: async (options) => startProviderShop('paypal', options),
  async newsAgain(live) {
    for (const id of live.double.paymentIds()) {
      await live.hook(live.double.webhook(id, { of: 'approve' }))
      await live.hook(live.double.webhook(id, { of: 'CUSTOMER.DISPUTE.UPDATED' }))
    }
  },
  unplaced: ({ double }) => ({ provider: 'paypal', receiptId: double.all()[0]?.captures[0]?.id }),
})

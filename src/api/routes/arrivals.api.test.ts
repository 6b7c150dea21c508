import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { changeSettings } from '../../commands/change-settings.ts'
import { expireOrder } from '../../commands/order-verbs.ts'
import { finishRefund } from '../../commands/send-refund.ts'
import type { GatewayName } from '../../domain/payment-methods.ts'
import { CashfreeDouble } from '../../payments/cashfree/testing/cashfree-double.ts'
import { PaypalDouble } from '../../payments/paypal/testing/paypal-double.ts'
import type { Act } from '../../payments/testing/double.ts'
import { gatewayOf } from '../../payments/testing/samples.ts'
import { systemCaller } from '../../shop/command-context.ts'
import { providerOfTest } from '../../testing/shops.ts'
import type { ProviderShop } from '../../testing/start-provider-shop.ts'
import type { TestShop } from '../../testing/start-shop.ts'

const HOURS_MS = 2 * 3_600_000
const DAY_MS = 24 * 3_600_000

/** By first column of a row: plays it and returns the order id. */
type Plays<Name extends GatewayName> = Readonly<Record<string, (live: ProviderShop<Name>) => Promise<string>>>

/** Opens a payment, runs `happens` and then the workers. */
async function opened(
  live: ProviderShop,
  happens: (paymentId: string, orderId: string) => Promise<unknown>,
): Promise<string> {
  const { orderId, paymentId } = await live.opened()
  await happens(paymentId, orderId)
  await live.work(orderId)
  return orderId
}

/** Opens a payment and plays steps: an act, its name, or milliseconds that pass after a run of the workers. */
function acting(...steps: readonly (string | number | Act)[]): (live: ProviderShop) => Promise<string> {
  return async (live) =>
    opened(live, async (id, orderId) => {
      for (const step of steps) {
        if (typeof step !== 'number') await live.double.act(id, typeof step === 'string' ? { do: step } : step)
        else {
          await live.work(orderId)
          live.advance(step)
        }
      }
    })
}

/** Places an order whose payment the provider opened without answering. */
async function unanswered(live: ProviderShop): Promise<{ orderId: string; lost: string }> {
  const orderId = await live.placed()
  live.double.fail({ answer: 'lost', on: 'create' })
  expect((await live.create(orderId)).status).toBe(503)
  // The shop pauses calls after a failure.
  live.advance(2_000)
  return { orderId, lost: live.double.paymentIds()[0] ?? '' }
}

/** Plays an act on the payment whose opening got no answer. */
function actingUnanswered(what: string): (live: ProviderShop) => Promise<string> {
  return async (live) => {
    const { orderId, lost } = await unanswered(live)
    await live.double.act(lost, { do: what })
    await live.work(orderId)
    return orderId
  }
}

const tables = readFileSync(new URL('../../testing/arrivals.txt', import.meta.url), 'utf8').split('\n\n')

/** A row as arrivals.txt has it: the way of the money and the state of the order. */
async function rowOf(arrives: string, shop: TestShop, orderId: string): Promise<string> {
  const types = (await shop.eventsOf(`order-${orderId}`)).map(({ type }) => type)
  const events = types.filter((type) => !['OrderPlaced', 'PaymentRequested', 'PaymentStarted'].includes(type))
  const { body } = await shop.get(`/api/orders/${orderId}`, { token: await shop.logIn() })
  const { reasons = [] } = (body['attention'] ?? {}) as { reasons?: string[] }
  const may = body['may'] as Record<string, boolean>
  const can = Object.keys(may).filter((what) => may[what] && what !== 'pay' && what !== 'requote')
  const buyer = [body['status'], body['paymentStatus'], ...(body['endedAs'] === 'refunded' ? ['refunded'] : [])]
  return [[arrives], events, buyer, reasons, can].map((words) => words.join(', ') || '-').join(' | ')
}

/** Returns the id of the payment that is open now. */
async function requoted(live: ProviderShop<'nowpayments'>, orderId: string, replaced: string): Promise<string> {
  const replaces = live.context.keys.reference(orderId, 1)
  const paymentId = live.atProvider((await live.create(orderId, { replaces })).body)
  expect(paymentId).not.toBe(replaced)
  return paymentId
}

const coins: Plays<'nowpayments'> = {
  'in full': acting('pay'),
  'in full, and the browser never comes back, and no webhook comes': acting({ do: 'pay', webhooks: 0 }),
  'seen, then confirmed': acting('confirming', 'confirmed', 'sending', 'pay'),
  'seen, and never confirmed for a day': acting('confirming', DAY_MS),
  'too little, then the rest to the same address': acting('short', 'again'),
  'twice, to the same address': acting('pay', { do: 'again', amount: '0.02647059' }),
  'in part to an address whose quote was replaced, then the rest to a fresh one': (live) =>
    opened(live, async (id, orderId) => {
      await requoted(live, orderId, id)
      await live.double.act(id, { do: 'short' })
      const { body } = await live.create(orderId, { amount: '1.13' })
      await live.double.act(live.atProvider(body), { do: 'pay' })
    }),
  'twice, to the address of a replaced quote and to the fresh one': (live) =>
    opened(live, async (id, orderId) => {
      const fresh = await requoted(live, orderId, id)
      for (const paid of [fresh, id]) await live.double.act(paid, { do: 'pay' })
    }),
  'taken back before the hand-over': acting('pay', 'refunded'),
  'stuck in a payment that failed, for a day': acting({ do: 'failed', amount: '0.02647059' }, DAY_MS),
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
    // The first payment must not be forgotten.
    await live.double.act(shown, { do: 'expired' })
    await live.work(orderId)
    return orderId
  },
  'to another order: its webhook names this one': (live) =>
    opened(live, async (_, orderId) => {
      const other = await live.opened()
      await live.double.act(other.paymentId, { do: 'pay' })
      const order_id = live.context.keys.reference(orderId, 1)
      expect(await live.hook(live.double.webhook(other.paymentId, { signed: { order_id } }))).toBe(200)
    }),
}

/** Pays an order, hands it over, plays `before` and has the shop send all of it back; then `after`. */
function sentBack(
  pay: string,
  { before, after }: { before?: (live: ProviderShop, id: string) => void; after?: AfterSending } = {},
): (live: ProviderShop) => Promise<string> {
  return async (live) =>
    opened(live, async (id, orderId) => {
      await live.double.act(id, { do: pay })
      await live.work(orderId)
      const token = await live.logIn()
      expect((await live.post('/api/process-order', { orderId }, { token })).status).toBe(200)
      const { revision, receipts = [] } = (await live.get(`/api/orders/${orderId}`, { token })).body
      const [receipt] = receipts as { receiptId: string; leftToSend: string }[]
      before?.(live, id)
      const body = { revision, receiptId: receipt?.receiptId, amount: receipt?.leftToSend, reason: 'asked-for' }
      expect((await live.post(`/api/orders/${orderId}/send-refund`, body, { token })).status).toBe(200)
      await after?.(live, { id, orderId })
    })
}
type AfterSending = (live: ProviderShop, sent: { id: string; orderId: string }) => Promise<unknown>
const MINUTE_MS = 60_000
/** The worker goes on with an open refund, once the shop's calls are no longer paused. */
const goesOn: AfterSending = async (live, { orderId }) => {
  live.advance(MINUTE_MS)
  await finishRefund(live.context, systemCaller(live.context.random), { orderId })
}

/** A second before midnight in India; the shop of a test begins at 2026-01-01T00:00Z. */
const TO_MIDNIGHT_MS = 18.5 * 3_600_000 - 1_000
/** A failure counts when it is reported again. */
const failed = ['fail', 10_000, { do: 'fail', webhooks: 0 }, 0] as const

const upi: Plays<'upigateway'> = {
  'in full': acting('pay'),
  'in full, and the browser never comes back, and no webhook comes': acting({ do: 'pay', webhooks: 0 }),
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
  'at both of two gateways, after the owner switched between them': async (live) => {
    const now = () => live.now()
    const double = await new CashfreeDouble({ now }).listen()
    const { upi } = live.context.providers
    Object.assign(live.context.providers, {
      upi: [...upi, gatewayOf('cashfree', double.env, { now })],
    })
    const orderId = await opened(live, async (id, itself) => {
      const changed = { changes: { upiGateway: 'cashfree' }, adminId: null, seenRevision: undefined } as const
      await changeSettings(live.context, systemCaller(live.context.random), changed)
      expect((await live.create(itself)).status).toBe(200)
      const [there = ''] = double.paymentIds()
      await double.act(there, { do: 'pay' })
      await live.double.act(id, { do: 'pay' })
    })
    await double.stop()
    return orderId
  },
}

const cashfree: Plays<'cashfree'> = {
  'paid back by the shop, done at once': sentBack('pay'),
  'paid back by the shop, and its answer is lost': sentBack('pay', {
    before: ({ double }) => double.fail({ answer: 'lost', on: 'refund' } as never),
    after: goesOn,
  }),
  'paid back by the shop, and refused': sentBack('pay', {
    before: ({ double }) => Object.assign(double, { refusesRefunds: 'INSUFFICIENT_FUNDS' }),
  }),
  'paid back by the shop, under way for a day, then done': sentBack('pay', {
    before: ({ double }) => Object.assign(double, { refundsEnd: 'ONHOLD' }),
    after: async (live, { id, orderId }) => {
      await live.work(orderId)
      live.advance(DAY_MS)
      live.double.happen(id, { do: 'refund-ends' })
    },
  }),
  'paid back by the shop, under way for a day, then failed': sentBack('pay', {
    before: ({ double }) => Object.assign(double, { refundsEnd: 'ONHOLD' }),
    after: async (live, { id, orderId }) => {
      await live.work(orderId)
      live.advance(DAY_MS)
      live.double.happen(id, { do: 'refund-fails' })
    },
  }),
  'paid back by the shop, and no answer comes in time': sentBack('pay', {
    before: ({ double }) => double.fail({ answer: '500', on: 'refund', times: 100 } as never),
    after: async (live, sent) => {
      live.advance(11 * MINUTE_MS)
      await goesOn(live, sent)
    },
  }),
  'paid back by the shop, of which half was paid back by hand before': sentBack('pay', {
    before: (live, id) => live.double.happen(id, { do: 'refund', amount: '1.00' }),
  }),
  'in full': acting('pay'),
  'in full, and the browser never comes back, and no webhook comes': acting({ do: 'pay', webhooks: 0 }),
  'after tries that failed or were left, and one that took its time': acting('drop', 0, 'fail', 0, 'pend', 0, 'pay'),
  'never: the payer leaves the checkout': acting('drop', HOURS_MS),
  'never: the payer’s try fails': acting('fail'),
  'seen, and never confirmed for a day': acting('pend', DAY_MS + HOURS_MS),
  'with a surcharge of the gateway’s': acting({ do: 'pay', amount: '250.00' }),
  'by two tries of one order': acting('pay', 'again'),
  'disputed before the hand-over, and won': acting('pay', 'dispute', 'win'),
  'disputed before the hand-over, and lost': acting('pay', 'dispute', 'lose'),
  'refunded by the gateway itself': acting('pay', 'auto-refund'),
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

type PaypalShop = ProviderShop<'paypal'>

const DECLINED = { capture: 'INSTRUMENT_DECLINED' }

/** The payer approves, and neither browser nor webhook reports it. `act` sets how a later capture ends. */
async function approved(live: PaypalShop, id: string, act: Partial<Act> = {}): Promise<void> {
  await live.double.act(id, { do: 'approve', webhooks: 0, ...act })
}

/** The payer approves, and the browser requests the capture. */
async function captured(live: PaypalShop, [id, orderId]: [string, string], act?: Partial<Act>): Promise<void> {
  await approved(live, id, act)
  await live.capture(orderId, id)
}

async function expire(live: PaypalShop, orderId: string): Promise<void> {
  live.advance(HOURS_MS)
  await expireOrder(live.context, systemCaller(live.context.random), { orderId })
}

/** Runs the workers once a minute. */
async function workFor(live: PaypalShop, orderId: string, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    live.advance(MINUTE_MS)
    await live.work(orderId)
  }
}

function takenFrom(live: PaypalShop): number {
  return live.double.all().flatMap(({ captures }) => captures).length
}

const paypal: Plays<'paypal'> = {
  'in full': (live) => opened(live, async (id, orderId) => captured(live, [id, orderId])),
  'in full, and the browser is closed after the approval': acting('approve'),
  'in full, and the browser never comes back, and no webhook comes': acting({ do: 'approve', webhooks: 0 }),
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
      const done = await live.post('/api/process-order', { orderId }, { token: await live.logIn() })
      expect(done.status).toBe(200)
      await live.double.act(id, { do: 'refund', amount: '1.00' })
    }),
  'paid back by the shop, done at once': sentBack('approve'),
  'paid back by the shop, and its answer is lost': sentBack('approve', {
    before: ({ double }) => double.fail({ answer: 'lost', on: 'refund' } as never),
    after: goesOn,
  }),
  'paid back by the shop, and refused': sentBack('approve', {
    before: ({ double }) => Object.assign(double, { refusesRefunds: 'INSUFFICIENT_FUNDS' }),
  }),
  'paid back by the shop, under way for a day, then done': sentBack('approve', {
    before: ({ double }) => Object.assign(double, { refundsEnd: 'PENDING' }),
    after: async (live, { id, orderId }) => {
      await live.work(orderId)
      live.advance(DAY_MS)
      live.double.happen(id, { do: 'refund-ends' })
    },
  }),
  'paid back by the shop, under way for a day, then failed': sentBack('approve', {
    before: ({ double }) => Object.assign(double, { refundsEnd: 'PENDING' }),
    after: async (live, { id, orderId }) => {
      await live.work(orderId)
      live.advance(DAY_MS)
      live.double.happen(id, { do: 'refund-fails' })
    },
  }),
  'paid back by the shop, and no answer comes in time': sentBack('approve', {
    before: ({ double }) => double.fail({ answer: '500', on: 'refund', times: 100 } as never),
    after: async (live, sent) => {
      live.advance(11 * MINUTE_MS)
      await goesOn(live, sent)
    },
  }),
  'paid back by the shop, of which half was paid back by hand before': sentBack('approve', {
    before: (live, id) => live.double.happen(id, { do: 'refund', amount: '1.00' }),
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
  'to another order: its webhook names this one': (live) =>
    opened(live, async (_, orderId) => {
      const other = await live.opened()
      await live.double.act(other.paymentId, { do: 'approve' })
      const resource = { id: other.paymentId, custom_id: live.context.keys.reference(orderId, 1) }
      const webhook = live.double.webhook(other.paymentId, { of: 'approve', signed: { resource } })
      expect(await live.hook(webhook)).toBe(200)
      expect((await live.capture(orderId, other.paymentId)).status).toBe(404)
    }),
}

/** `table`: the heading in arrivals.txt. */
const gateways: Readonly<Record<GatewayName, { readonly table: string; readonly plays: Plays<never> }>> = {
  nowpayments: { table: 'NOWPayments', plays: coins },
  upigateway: { table: 'EKQR', plays: upi },
  cashfree: { table: 'Cashfree', plays: cashfree },
  paypal: { table: 'PayPal', plays: paypal },
}
const gatewayNames = Object.keys(gateways) as GatewayName[]

/** Sends all webhooks of its payments again. */
async function newsAgain(live: ProviderShop): Promise<void> {
  const ofPaypal = live.double instanceof PaypalDouble ? ['approve', 'CUSTOMER.DISPUTE.UPDATED'] : [undefined]
  for (const id of live.double.paymentIds()) for (const of of ofPaypal) await live.hook(live.double.webhook(id, { of }))
}

const wayOf = (row: string): string => row.split(' | ')[0] ?? ''

describe.for(gatewayNames)('money by %s', (gateway) => {
  const { table, plays } = gateways[gateway]
  const rows = (tables.find((text) => text.startsWith(`${table}\n`)) ?? '').trimEnd().split('\n').slice(1)

  it('each row of arrivals.txt is played', () =>
    expect(rows.map(wayOf).toSorted()).toEqual(Object.keys(plays).toSorted()))

  it.for(rows)('money arrives %s', async (row) => {
    const live = await providerOfTest(gateway, { env: { DELIVERY: 'staff' } })
    const arrives = wayOf(row)
    const orderId = (await plays[arrives]?.(live as never)) ?? ''
    expect(await rowOf(arrives, live, orderId)).toBe(row)
    const head = await live.context.log.head()
    await newsAgain(live)
    await live.work(orderId)
    expect(await live.context.log.head()).toBe(head)
  })
})

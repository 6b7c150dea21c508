import { expect, it } from 'vitest'
import { attentionReasons } from '../domain/words.ts'
import type { OrderEvent } from '../domain/order/events.ts'
import {
  chosen,
  completed,
  deliveredAfterEnd,
  deliveryGivenUp,
  deliveryHeld,
  deliveryRequested,
  expired,
  failed,
  minute,
  paidBack,
  placed,
  ready,
  received,
  refunded,
  requested,
  reversed,
  started,
  unusable,
} from '../domain/testing/order-samples.ts'
import { isOrderEvent } from '../projections/order-events.ts'
import { historyOf } from '../shop/hot/order-histories.ts'
import { recorded } from '../projector/testing/clean-fold.ts'
import { samples } from '../projections/testing/samples.ts'
import type { Reader } from './event-words.ts'
import { timelineEntriesOf, TIMELINE_MAX, timelineOf } from './timeline.ts'

const events = recorded(...Object.values(samples)).filter(isOrderEvent)

const shown = (history: readonly OrderEvent[], reader: Reader = 'staff') =>
  timelineOf(historyOf(recorded(...history).filter(isOrderEvent)), reader)
const texts = (event: OrderEvent, reader: Reader = 'staff') => shown([event], reader).map(({ text }) => text)

it.for(events.map((event) => [event.type, event] as const))('the timeline tells %s in a sentence', ([type, event]) => {
  expect(timelineOf(historyOf([event]), 'staff')).toEqual([
    {
      type,
      at: event.data.at,
      actor: expect.any(String) as unknown,
      text: expect.stringMatching(/^[A-Z0-9$].*\.$/) as unknown,
    },
  ])
})

it('the timeline writes figures as the screens do', () => {
  expect(texts(placed({ quantityM: 1000, totalCents: 5_000_000 }))).toEqual(['Order of 1,000M placed for $50,000.00.'])
  expect(texts(completed({ quantityM: 1000 }))).toEqual(['Completed: 1,000M delivered.'])
  expect(texts(received(1, 123_456))).toEqual(['Payment of 12.3456 LTC received, worth $1,234.56.'])
  const asked = (payAmount: string, payCurrency: string) => texts(started(1, { payAmount, payCurrency }))
  expect(asked('50000.40', 'usd')).toEqual(['Payment 1 is open: $50,000.40.'])
  expect(asked('432500.00', 'inr')).toEqual(['Payment 1 is open: ₹4,32,500.00.'])
  expect(asked('0.12345678', 'ltc')).toEqual(['Payment 1 is open: 0.12345678 LTC.'])
})

it('the timeline of a buyer uses the words of his page, without payment numbers', () => {
  const started6 = started(1, { payAmount: '0.06', payCurrency: 'ltc' })
  expect(texts(started6, 'buyer')).toEqual(['Waiting for your payment of 0.06 LTC.'])
  expect(texts(received(1, 1000), 'buyer')).toEqual(['Your payment of 0.1000 LTC has arrived, worth $10.00.'])
  expect(texts(placed(), 'buyer')).toEqual(texts(placed()))
  for (const event of events)
    expect(timelineOf(historyOf([event]), 'buyer')).toEqual([
      expect.objectContaining({
        type: event.type,
        text: expect.stringMatching(/^(?!.*([Pp]ayment \d|staff)).*\.$/) as unknown,
      }),
    ])
})

it('the timeline of PayPal names total, fee and charge as PayPal does', () => {
  const paid = { currency: 'USD', addedAmount: '10.40', amount: '10.40', askedAmount: '10.40' }
  const history = [placed(), chosen('paypal'), requested(1, 'paypal'), received(1, 1000, paid)]
  expect(shown(history, 'buyer').map(({ text }) => text)).toEqual([
    'Order of 200M placed for $10.00.',
    'You chose to pay by PayPal (fee $0.40).',
    'Your payment by PayPal is being prepared.',
    'Your payment of $10.40 has arrived: $10.00 and the fee of $0.40.',
  ])
})

it('the timeline of UPI is in the rupees that were charged', () => {
  // The gateway took whole rupees: 866, not 865.
  const asked = { askedMinor: 86_600, currency: 'INR' } as const
  const paid = { currency: 'INR', amount: '866.00', addedAmount: '866.00', askedAmount: '866.00' }
  const back = { done: '433.00', pending: '0', failed: '0' }
  const history = [
    placed(),
    requested(1, 'upi', asked),
    started(1, { payAmount: '866.00', payCurrency: 'INR' }),
    received(1, 1000, paid),
    paidBack('receipt-1', 500, back),
    reversed('receipt-1', 500),
    refunded(500),
  ]
  const lines = shown(history, 'buyer').map(({ text }) => text)
  expect(lines).toEqual(
    expect.arrayContaining([
      'Order of 200M placed for ₹866.00.',
      'Waiting for your payment of ₹866.00.',
      'Your payment of ₹866.00 has arrived.',
      'The payment provider reports as paid back: ₹433.00.',
      '₹433.00 of your payment was taken back.',
      '₹433.00 was refunded to you.',
    ]),
  )
  expect(lines.join(' ')).not.toContain('$')
})

it('the timeline names the actor of each event', () => {
  const actors = Object.fromEntries(
    events.flatMap((event) => timelineOf(historyOf([event]), 'staff').map((entry) => [entry.type, entry.actor])),
  )
  expect(actors).toMatchObject({
    OrderPlaced: 'buyer',
    PaymentMethodChosen: 'buyer',
    OrderCancelled: 'buyer',
    PaymentStarted: 'provider',
    PaymentReceived: 'provider',
    DeliveryRequested: 'system',
    OrderCompleted: 'system',
    OrderExpired: 'system',
    DeliveryGivenUp: 'system',
  })
  const failures = recorded(failed(1, 'declined'), failed(2, 'capture-unknown')).filter(isOrderEvent)
  expect(timelineOf(historyOf(failures), 'staff').map(({ actor }) => actor)).toEqual(['provider', 'system'])
  const byStaff = events.map((event) => ({ ...event, metadata: { ...event.metadata, actor: 'staff' as const } }))
  const approved = byStaff.filter(({ type }) => type === 'OrderApproved')
  expect(timelineOf(historyOf(approved), 'staff').map(({ actor }) => actor)).toEqual(['staff'])
})

it('the timeline contains no data of the buyer and no keys', () => {
  const readers = ['staff', 'buyer'] as const
  const told = JSON.stringify(readers.map((reader) => timelineEntriesOf(historyOf(events), reader)))
  for (const secret of ['sealed', 'hash-1', 'customer-1', 'ltc1', 'REF-1', 'owner']) expect(told).not.toContain(secret)
})

it('a long timeline keeps its beginning and the newest entries', () => {
  const times = Array.from({ length: 2 * TIMELINE_MAX }, (_, index) => minute(index))
  const timeline = shown([placed(), ...times.map((at) => chosen('upi', at))])
  expect(timeline).toHaveLength(TIMELINE_MAX)
  expect(timeline[0]?.type).toBe('OrderPlaced')
  expect(timeline.at(-1)?.at).toBe(times.at(-1))
})

it.for<[string, OrderEvent[], OrderEvent, string, string]>([
  ['short money', [requested(1, 'crypto')], received(1, 400), 'Less is held than the total.', ''],
  [
    'a reversal',
    [requested(1, 'crypto'), received(1, 1000), ready('staff')],
    reversed('receipt-1', 1000),
    'A payment was reversed, in whole or in part. It is not known whether the coins were given.',
    'A person at the shop will look at this order.',
  ],
])(
  'the timeline names the causes that begin with %s, but asks the buyer only for the rest',
  ([, before, event, text, forBuyer]) => {
    const last = (reader: Reader) => shown([placed(), ...before, event], reader).slice(1 + before.length)
    const entry = { type: 'OrderNeedsAttention', at: event.data.at, actor: 'system' }
    expect(last('staff')).toMatchObject([{ type: event.type }, { ...entry, text }])
    expect(last('buyer')).toMatchObject([
      { type: event.type },
      ...(forBuyer === '' ? [] : [{ ...entry, text: forBuyer }]),
    ])
  },
)

it.for<[OrderEvent[], OrderEvent]>([
  [[received(1, 1000), ready('webhook')], deliveryHeld()],
  [[received(1, 1000), ready('webhook'), deliveryRequested()], deliveryGivenUp()],
  [[expired()], deliveredAfterEnd()],
  [[], unusable('receipt-2')],
  [[], unusable('receipt-2', 'another-coin')],
])('the timeline does not repeat a cause that its event already tells: %#', ([before, event]) => {
  for (const reader of ['staff', 'buyer'] as const)
    expect(shown([placed(), requested(1, 'crypto'), ...before, event], reader).at(-1)?.type).toBe(event.type)
  expect(shown([placed(), requested(1, 'crypto'), ...before], 'staff')).toHaveLength(2 + before.length)
})

it('no cause is the prefix of another', () => {
  for (const reason of attentionReasons)
    expect(attentionReasons.filter((other) => other.startsWith(reason))).toEqual([reason])
})

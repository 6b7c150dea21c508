import { expect, it } from 'vitest'
import {
  disputed,
  minute,
  orderAfter,
  placed,
  ready,
  received,
  requested,
  started,
} from '../domain/testing/order-samples.ts'
import { type Notice, ownerMessage, type OwnerNews } from './owner-messages.ts'

const paid = [placed(), requested(1, 'paypal'), started(1), received(1, 1000)]
const toHandOver: Notice = { order: orderAfter(...paid, ready('staff')), reasons: [] }
const inDispute: Notice = { order: orderAfter(...paid, disputed()), reasons: ['disputed'] }
const place = { publicUrl: 'https://shop.example', shopName: 'The shop', textMax: 2_000 }
const { orderId, orderNumber } = toHandOver.order.placed

function messageOf(news: Partial<OwnerNews>, textMax = 2_000) {
  return ownerMessage({ states: [], waiting: undefined, notices: [], ...news }, { ...place, textMax })
}

it('one order is named in the subject, with coins, amount and method', () => {
  const { subject, text } = messageOf({ notices: [toHandOver] })
  expect(subject).toBe(`Hand over order ${orderNumber}: 200M, $10.00 by PayPal (The shop)`)
  expect(text).toContain(`https://shop.example/admin/orders/${orderId}`)
})

it('a dispute is told with its date', () => {
  expect(messageOf({ notices: [inDispute] }).text).toContain(`Payment disputed on ${minute(50).slice(0, 10)}`)
})

it('a dispute is told with the date by which to answer it', () => {
  const due = {
    order: orderAfter(...paid, disputed('PP-D-1', { respondBy: minute(90) })),
    reasons: ['disputed'],
  } as const
  expect(messageOf({ notices: [due] }).text).toContain(`, answer due by ${minute(90).slice(0, 10)}`)
})

it('states come first, then what waited, then the orders', () => {
  const { subject, text } = messageOf({
    states: ['Sold out'],
    waiting: { toHandOver: 4, toLookAt: 1 },
    notices: [toHandOver],
  })
  expect(subject).toBe('Sold out (The shop)')
  expect(text.indexOf('Sold out')).toBeLessThan(text.indexOf('4 orders to hand over, 1 order to look at'))
  expect(text.indexOf('Messages were held up')).toBeLessThan(text.indexOf('Hand over order'))
})

it.each([300, 2_000, 4_096])('a text of at most %i characters says how many orders it leaves out', (textMax) => {
  const { subject, text } = messageOf({ notices: Array.from({ length: 50 }, () => toHandOver) }, textMax)
  expect(text.length).toBeLessThanOrEqual(textMax)
  expect(subject).toBe('50 orders to hand over (The shop)')
  const named = text.split('Hand over order').length - 1
  expect(text).toContain(`and ${50 - named} more`)
  expect(text.endsWith('https://shop.example/admin')).toBe(true)
})

import { expect, it } from 'vitest'
import {
  completed,
  disputeClosed,
  disputed,
  orderAfter,
  placed,
  received,
  refunded,
  requested,
  reversed,
  started,
} from '../../domain/testing/order-samples.ts'
import { orderView } from './order-view.ts'

const paid = [placed(), requested(1, 'crypto'), started(1), received(1, 1000), completed()]
const statusOf = (...events: Parameters<typeof orderAfter>) =>
  orderView(
    orderAfter(...paid, ...events),
    { buyer: 'erased', refundsTo: [], note: null },
    { isMasked: true, isStaff: true },
  ).transactionData?.status

it('a receipt is shown as reversed or refunded only when nothing of it is left', () => {
  expect(statusOf(reversed('receipt-1', 1))).toBe('received')
  expect(statusOf(reversed('receipt-1', 1000))).toBe('reversed')
  expect(statusOf(refunded(1000))).toBe('refunded')
})

const charged = (amount: string) => ({ amount, askedAmount: amount })

it.for([
  ['paypal', [received(1, 1000, charged('10.40'))], { amount: '10.40', currency: 'USD', fee: '0.40' }],
  [
    'paypal',
    [received(1, 500, { ...charged('10.40'), amount: '5.20' })],
    { amount: '5.20', currency: 'USD', fee: '0.20' },
  ],
  ['paypal', [received(1, 1000, charged('10.40')), refunded(1000)], { amount: '10.40', currency: 'USD', fee: '0.40' }],
  ['paypal', [received(1, 1000), reversed('receipt-1', 1000)], null],
  ['upi', [received(1, 1000, charged('865.00'))], { amount: '865.00', currency: 'INR', fee: '0.00' }],
  ['crypto', [received(1, 990)], { amount: '9.90', currency: 'USD', fee: '0.00' }],
  ['crypto', [], null],
] as const)('an order says what was paid by %s, as it was charged', ([method, money, paid]) => {
  const order = orderAfter(placed(), requested(1, method), started(1), ...money)
  const view = orderView(order, { buyer: 'erased', refundsTo: [null], note: null }, { isMasked: true, isStaff: false })
  expect(view.paid).toEqual(paid)
})

it.for([
  ['an open one', [disputed()], true, undefined],
  ['one that was won', [disputed(), disputeClosed('won')], true, undefined],
  ['one that was lost', [disputed(), disputeClosed('lost')], true, true],
  ['one that was lost, for its buyer', [disputed(), disputeClosed('lost')], false, undefined],
] as const)('staff are offered to block a buyer after a lost dispute: %s', ([, events, isStaff, isOffered]) => {
  const opened = { buyer: 'erased', refundsTo: [], note: null } as const
  const view = orderView(orderAfter(...paid, ...events), opened, { isMasked: false, isStaff })
  expect(view.hasLostDispute).toBe(isOffered)
})

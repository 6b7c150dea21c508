import { expect, it } from 'vitest'
import {
  completed,
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
  orderView(orderAfter(...paid, ...events), { buyer: 'erased', refundsTo: [] }, { isMasked: true, isStaff: true })
    .transactionData?.status

it('shows a receipt as taken back only where nothing of it is left', () => {
  expect(statusOf(reversed('receipt-1', 1))).toBe('received')
  expect(statusOf(reversed('receipt-1', 1000))).toBe('reversed')
  expect(statusOf(refunded(1000))).toBe('refunded')
})

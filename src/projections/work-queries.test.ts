import { expect, it } from 'vitest'
import {
  captureRequested,
  completed,
  day,
  deleted,
  expired,
  failed,
  minute,
  placed,
  preOrderReserved,
  ready,
  received,
  requested,
  reversed,
  started,
  watchEnded,
} from '../domain/testing/order-samples.ts'
import { dueOrders, toPoll, toPollFirst } from './due-orders.ts'
import { receiptsUnfinished } from './payments.ts'
import { samples } from './testing/samples.ts'
import { of, viewsAfter } from '../projector/testing/views-after.ts'
import { countToDeliver, listToDeliver, listWaitingForStock, readUndelivered } from './to-deliver.ts'

const crypto = [placed(), requested(1, 'crypto'), started(1)]

it('orders are due once their time is over, the oldest first', async () => {
  const views = await viewsAfter(
    ...of('a', placed({ expiresAt: minute(62) })),
    ...of('b', placed()),
    ...of('c', ...crypto),
  )
  expect(await dueOrders(views, 'expiresAt', { before: minute(60), limit: 5 })).toEqual([])
  expect(await dueOrders(views, 'expiresAt', { before: minute(62), limit: 5 })).toEqual(['b', 'c'])
  expect(await dueOrders(views, 'expiresAt', { before: minute(62), limit: 1 })).toEqual(['b'])
})

it('orders with payments to check are listed page by page, pending and ended ones apart', async () => {
  const views = await viewsAfter(
    ...of('a', ...crypto, failed(1, 'failed'), requested(2, 'upi'), started(2, { at: minute(5) })),
    ...of('b', ...crypto, expired()),
    ...of('c', placed(), requested(1, 'crypto')),
    ...of('d', ...crypto),
    ...of('e', placed(), requested(1, 'upi'), expired()),
    ...of('f', ...crypto, expired(), watchEnded(1, day(9))),
  )
  const open = { isOpen: true, watchUntil: undefined }
  const ended = { isOpen: false, since: minute(1), watchUntil: '2026-03-08T13:00:04.000Z' }
  expect(await toPoll(views, 'open', { limit: 1 })).toEqual({
    orders: [{ orderId: 'a', since: minute(5), ...open }],
    lastOrderId: 'a',
  })
  expect(await toPoll(views, 'open', { afterOrderId: 'a', limit: 5 })).toEqual({
    orders: [{ orderId: 'd', since: minute(1), ...open }],
    lastOrderId: undefined,
  })
  expect((await toPoll(views, 'ended', { limit: 5 })).orders).toEqual([
    { orderId: 'b', ...ended },
    { orderId: 'e', ...ended },
  ])
})

it('orders whose buyer waits for a payment are listed by the newest payment', async () => {
  const views = await viewsAfter(
    ...of('old', ...crypto),
    ...of('new', placed(), requested(1, 'upi'), started(1, { at: minute(9) })),
    ...of('older', placed(), requested(1, 'upi'), started(1, { at: minute(0) })),
    ...of('failed', placed(), requested(1, 'upi'), started(1, { at: minute(9) }), failed(1, 'failed')),
    ...of('ended', placed(), requested(1, 'upi'), started(1, { at: minute(9) }), expired()),
    ...of('paid', placed(), requested(1, 'upi'), started(1, { at: minute(9) }), received(1, 1000)),
    ...of('both', ...crypto, requested(2, 'upi'), started(2, { at: minute(7) })),
    ...of('captured', ...crypto, captureRequested(1)),
    ...of('again', ...crypto, failed(1, 'failed', minute(3)), requested(2, 'upi'), started(2, { at: minute(5) })),
  )
  const named = async (since: string) => (await toPollFirst(views, since, 5)).map(({ orderId }) => orderId)
  expect(await named(minute(1))).toEqual(['captured', 'new', 'both', 'again', 'old'])
  expect(await named(minute(2))).toEqual(['captured', 'new', 'both', 'again'])
})

it('orders that staff are to deliver are listed, the oldest first', async () => {
  const views = await viewsAfter(
    ...of('second', ...crypto, received(1, 1000), ready('staff')),
    ...of('first', ...crypto, received(1, 1000, { at: minute(20) }), ready('staff', minute(20))),
    ...of('pre-order', placed({ preOrder: true }), ...crypto.slice(1), received(1, 1000, { at: minute(10) })),
    ...of(
      'served',
      placed({ preOrder: true }),
      ...crypto.slice(1),
      received(1, 1000),
      preOrderReserved(8),
      ready('staff', minute(70)),
    ),
    ...of('by-webhook', ...crypto, received(1, 1000), ready('webhook')),
    ...of('done', ...crypto, received(1, 1000), ready('staff'), completed()),
    ...of('deleted', ...crypto, received(1, 1000), ready('staff'), deleted({ coinsGiven: true })),
    ...of('reversed', ...crypto, received(1, 1000), ready('staff'), reversed('receipt-1', 1000)),
    ...of('unpaid', ...crypto),
  )
  const page = await listToDeliver(views, { limit: 2 })
  expect(page).toMatchObject({ total: 3, orders: [{ orderId: 'first' }, { orderId: 'second' }] })
  expect(await listToDeliver(views, { limit: 2, cursor: page.next ?? '' })).toMatchObject({
    orders: [{ orderId: 'served' }],
    next: null,
  })
  expect(await countToDeliver(views)).toEqual({ count: 3, oldestSince: minute(20) })
  expect(await readUndelivered(views)).toEqual({
    orders: 5,
    totalCents: 5000,
    quantityM: 1000,
    heldM: 800,
    isWhole: true,
  })
})

it('paid pre-orders wait for stock in the order of payment, with the coins that all of them take', async () => {
  const preOrder = [placed({ preOrder: true }), requested(1, 'crypto'), started(1)]
  const views = await viewsAfter(
    ...of('unpaid', ...preOrder),
    ...of('first', ...preOrder, received(1, 1000)),
    ...of('served', ...preOrder, received(1, 1000), preOrderReserved(8)),
    ...of('second', ...preOrder, received(1, 1000)),
  )
  expect(await listWaitingForStock(views, { limit: 1 })).toMatchObject({
    orders: [{ orderId: 'first' }],
    total: 2,
    quantityM: 400,
  })
})

it('without paid orders the list of deliveries is empty', async () => {
  const views = await viewsAfter(...of('unpaid', ...crypto))
  expect(await listToDeliver(views, { limit: 2 })).toEqual({ orders: [], total: 0, next: null })
  expect(await countToDeliver(views)).toEqual({ count: 0, oldestSince: undefined })
  expect(await readUndelivered(views)).toEqual({ orders: 0, totalCents: 0, quantityM: 0, heldM: 0, isWhole: true })
})

it('receipts that their order has not recorded are listed after a while', async () => {
  const views = await viewsAfter(samples.ReceiptClaimed, samples.ReceiptRefused)
  expect(await Array.fromAsync(receiptsUnfinished(views, minute(1)))).toEqual([])
  expect(await Array.fromAsync(receiptsUnfinished(views, minute(2)))).toEqual([
    { provider: 'crypto', receiptId: 'receipt-1' },
  ])
})

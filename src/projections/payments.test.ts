import { describe, expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import { minute, orderId, placed, received, unusable } from '../domain/testing/order-samples.ts'
import { paymentsProjection } from './payments.ts'
import { bodiesAfter } from '../projector/testing/clean-fold.ts'
import { samples } from './testing/samples.ts'

const receiptAfter = (...events: readonly ShopEvent[]) => bodiesAfter(paymentsProjection, ...events).get('receipt-1')

describe('the payments view', () => {
  const finished = { unfinished: [], receiptSince: null, unplaced: [], unplacedSince: null }

  it('a receipt after ReceiptClaimed is to be recorded by its order', () => {
    expect(receiptAfter(samples.ReceiptClaimed)).toMatchObject({ receiptSince: minute(1), unfinished: [{ orderId }] })
  })

  it('a receipt after PaymentReceived is finished', () => {
    expect(receiptAfter(samples.ReceiptClaimed, placed(), received(1, 1000))).toEqual(finished)
  })

  it('a receipt after PaymentReceived of another provider is not finished', () => {
    expect(receiptAfter(samples.ReceiptClaimed, placed(), received(1, 1000, { provider: 'upi' }))).not.toEqual(finished)
  })

  it('a receipt after ReceiptRefused is to be recorded by the second order', () => {
    expect(receiptAfter(samples.ReceiptRefused)?.unfinished).toMatchObject([
      { claim: 'to-tell', orderId: 'another-order' },
    ])
  })

  it('a receipt after ReceiptUnplaced has no order until one claims it', () => {
    expect(receiptAfter(samples.ReceiptUnplaced)?.unplacedSince).toBe(samples.ReceiptUnplaced.data.at)
    expect(receiptAfter(samples.ReceiptUnplaced, samples.ReceiptClaimed)).toMatchObject({
      unplaced: [],
      unplacedSince: null,
    })
  })

  it('a receipt after ReceiptUnplacedSettled leaves the list, but not an equal id of another provider', () => {
    expect(receiptAfter(samples.ReceiptUnplaced, samples.ReceiptUnplacedSettled)).toEqual(finished)
    const others = { ...samples.ReceiptUnplaced.data, provider: 'another' }
    expect(receiptAfter({ type: 'ReceiptUnplaced', data: others }, samples.ReceiptUnplacedSettled)).toMatchObject({
      unplaced: [others],
      unplacedSince: others.at,
    })
  })

  it('a receipt after ReceiptUnusable is finished for that order', () => {
    const told = unusable('receipt-1')
    const another = { ...told, data: { ...told.data, orderId: 'another-order' } }
    expect(receiptAfter(samples.ReceiptRefused, told)).not.toEqual(finished)
    expect(receiptAfter(samples.ReceiptRefused, another)).toEqual(finished)
  })
})

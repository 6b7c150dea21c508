import { describe, expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import {
  cancelled,
  completed,
  deleted,
  expired,
  failed,
  placed,
  received,
  refunded,
  reinstated,
  requested,
} from '../domain/testing/order-samples.ts'
import { recorded } from '../projections/testing/clean-fold.ts'
import { endings, endingsFold } from './endings.ts'

const ever = { from: '', before: '9' }

function endedAfter(...events: readonly ShopEvent[]): Record<string, number> {
  const fold = endingsFold()
  for (const event of recorded(...events)) if (fold.needs(event)) fold.see(event)
  const counted = fold.rows(ever).filter(({ orders }) => orders > 0)
  return Object.fromEntries(counted.map(({ ending, orders }) => [ending, orders]))
}

describe('why orders ended', () => {
  it.for<[events: readonly ShopEvent[], ended: Record<string, number>]>([
    [[placed()], {}],
    [[placed(), expired()], { 'never-begun': 1 }],
    [[placed(), requested(1, 'upi'), failed(1), expired()], { 'payment-failed': 1 }],
    [[placed(), requested(1, 'upi'), expired()], { late: 1 }],
    [[placed(), requested(1, 'upi'), received(1, 400), expired()], { late: 1 }],
    [[placed(), cancelled()], { cancelled: 1 }],
    [[placed(), deleted()], { 'by-staff': 1 }],
    [[placed(), requested(1, 'upi'), received(1, 1000), refunded(1000, { endsOrder: true })], { 'by-staff': 1 }],
    [[placed(), expired(), deleted()], { 'never-begun': 1 }],
    [[placed(), requested(1, 'upi'), expired(), received(1, 1000), reinstated(9)], {}],
    [[placed(), requested(1, 'upi'), received(1, 1000), completed()], {}],
    [[placed(), requested(1, 'upi'), received(1, 1000), completed(), deleted({ completedAt: placed().data.at })], {}],
  ])('%#', ([events, ended]) => expect(endedAfter(...events)).toEqual(ended))

  it('is counted with sums, by the time of the end', () => {
    const fold = endingsFold()
    const end = expired()
    for (const event of recorded(placed(), requested(1, 'upi'), received(1, 400), end)) fold.see(event)
    const { at } = end.data
    expect(fold.rows({ from: at, before: '9' }).map(({ ending }) => ending)).toEqual(endings)
    const late = { ending: 'late', orders: 1, totalCents: 1000, receivedCents: 400 }
    expect(fold.rows({ from: at, before: '9' })).toContainEqual(late)
    expect(fold.rows({ from: '', before: at })).not.toContainEqual(late)
  })
})

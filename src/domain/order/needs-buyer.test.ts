import { describe, expect, it } from 'vitest'
import {
  approved,
  cancelled,
  captureRequested,
  completed,
  day,
  deleted,
  deliveryRequested,
  expired,
  failed,
  deliveryGivenUp,
  orderAfter,
  placed,
  received,
  requested,
  reversed,
  seen,
  settled,
  started,
  watchEnded,
} from '../testing/order-samples.ts'
import type { OrderEvent } from './events.ts'
import { needsItsBuyer } from './needs-buyer.ts'

const crypto = [placed(), requested(1, 'crypto'), started(1)]
const paid = [...crypto, received(1, 1000)]
const late = [...crypto, expired()]

describe('who the buyer is', () => {
  it.for<[situation: string, events: OrderEvent[]]>([
    ['it is open', [placed()]],
    ['its money is being captured', [...crypto, captureRequested(1)]],
    ['it is paid and not delivered', paid],
    ['its delivery is under way', [...paid, deliveryRequested()]],
    ['nobody knows whether it was delivered', [...paid, deliveryRequested(), deliveryGivenUp()]],
    ['it ended with money', [...crypto, received(1, 400), expired()]],
    ['its money was seen and may still come', [...late, seen(1)]],
    ['money was seen and never came', [...late, seen(1), watchEnded(1, day(9))]],
    ['a payment that began may still bring it back', late],
    ['late money covers it', [...late, received(1, 1000), watchEnded(1, day(9))]],
    ['it is completed, but its money was taken back', [...paid, completed(), reversed('receipt-1', 1000)]],
    ['it is deleted with money on it', [...paid, deleted()]],
  ])('must be known while %s', ([, events]) => expect(needsItsBuyer(orderAfter(...events))).toBe(true))

  it.for<[situation: string, events: OrderEvent[]]>([
    ['it is completed', [...paid, completed()]],
    ['it is completed and deleted', [...paid, completed(), deleted()]],
    ['it was approved without money and completed', [placed(), approved(), completed()]],
    ['it ended and was never paid', [placed(), cancelled()]],
    ['it ended, and its payments are watched no more', [...late, watchEnded(1, day(9))]],
    [
      'staff have paid back what came late',
      [...late, received(1, 400), settled({ unearned: { cents: 400 } }), watchEnded(1, day(9))],
    ],
    ['money that was seen failed', [...late, seen(1), failed(1), watchEnded(1, day(9))]],
    ['it was deleted unpaid', [...crypto, deleted()]],
    [
      'it was deleted after its coins were given',
      [...paid, deliveryRequested(), deliveryGivenUp(), deleted({ coinsGiven: true })],
    ],
  ])('need not be known when %s', ([, events]) => expect(needsItsBuyer(orderAfter(...events))).toBe(false))
})

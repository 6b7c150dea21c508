import { describe, expect, it } from 'vitest'
import { fold } from '../decider.ts'
import {
  abandoned,
  approved,
  cancelled,
  completed,
  deleted,
  deliveryRequested,
  expired,
  deliveryGivenUp,
  orderAfter,
  placed,
  preOrderReserved,
  ready,
  received,
  reinstated,
  requested,
  reversed,
  seen,
  started,
} from '../testing/order-samples.ts'
import type { OrderEvent } from './events.ts'
import { order } from './order.ts'
import { isCovered, paidCents } from './order-money.ts'
import { fateOf, holdsStock, outdatedSerials, readinessOf } from './order-state.ts'

const crypto = [placed(), requested(1, 'crypto'), started(1)]
const held = (serial: number) => ({ kind: 'reserved', serial, quantityM: 200 })

describe('the coins that an order holds', () => {
  const claims = [placed(), expired(), reinstated(8), reversed('receipt-1', 1), expired(), approved(9)]

  it('an order holds the coins of its last claim', () => {
    expect(orderAfter(placed()).holding).toEqual(held(7))
    expect(orderAfter(placed(), expired()).holding).toEqual({ kind: 'none' })
    expect(orderAfter(placed(), expired(), reinstated(8)).holding).toEqual(held(8))
    expect(orderAfter(...claims).holding).toEqual(held(9))
    expect(orderAfter(placed(), approved(null)).holding).toEqual(held(7))
  })
  it('a pre-order holds no coins until stock is reserved', () => {
    expect(holdsStock(orderAfter(placed({ preOrder: true })))).toBe(false)
    expect(holdsStock(orderAfter(placed({ preOrder: true }), preOrderReserved(8)))).toBe(true)
  })
  it('a serial is outdated when a claim names it and the order neither holds nor delivers it', () => {
    expect(outdatedSerials(fold(order, []))).toStrictEqual([])
    expect(outdatedSerials(orderAfter(placed()))).toStrictEqual([])
    expect(outdatedSerials(orderAfter(...claims))).toStrictEqual([7, 8])
    expect(outdatedSerials(orderAfter(...claims, completed()))).toStrictEqual([7, 8])
  })
})

describe('what becomes of a reservation', () => {
  const second = { claimAt: 2, serial: 8 }
  const ended = [placed(), expired()]
  const reinstatedAndDone = [...ended, reinstated(8), completed({ serial: 8 })]
  const unknown = [placed(), approved(), deliveryRequested(), deliveryGivenUp()]

  it.for<[what: string, fate: ReturnType<typeof fateOf>, history: OrderEvent[], claim?: typeof second]>([
    ['is fenced while its claim may still come', 'fence', []],
    ['is fenced while a later claim may still come', 'fence', ended, second],
    ['stays while the order holds it', 'stay', [placed()]],
    ['is released when the place of its claim is fenced', 'release', [abandoned()]],
    ['is released when the place of a later claim is fenced', 'release', [...ended, abandoned()], second],
    ['is released when another claim stands there', 'release', [placed({ serial: 8 })]],
    ['is released when another later claim stands there', 'release', [...ended, reinstated(9)], second],
    ['is released when its claim stands elsewhere', 'release', [...ended, seen(1), reinstated(8)], second],
    ['is released when its order expires', 'release', ended],
    ['is released when its order is cancelled', 'release', [placed(), cancelled()]],
    ['is released when its order is deleted', 'release', [placed(), deleted()]],
    ['is released when a later claim took its place', 'release', [placed({ preOrder: true }), preOrderReserved(8)]],
    ['is committed when it was held at completion', 'commit', [placed(), completed()]],
    ['is committed also when the order is deleted later', 'commit', [placed(), completed(), deleted()]],
    ['is released when another one was held at completion', 'release', reinstatedAndDone],
    ['is committed when it is the later one, held at completion', 'commit', reinstatedAndDone, second],
    ['stays where the end of a delivery is unknown', 'stay', unknown],
    ['is committed where staff say that its coins were given', 'commit', [...unknown, deleted({ coinsGiven: true })]],
    ['is released where they say that they were not', 'release', [...unknown, deleted({ coinsGiven: false })]],
  ])('a reservation %s', ([, fate, history, claim = { claimAt: 0, serial: 7 }]) =>
    expect(fateOf(fold(order, history), claim)).toBe(fate),
  )
})

it('the paid money of an order is what was received and not reversed', () => {
  const paid = orderAfter(...crypto, received(1, 1000), reversed('receipt-1', 300))
  expect(paid.receivedCents).toBe(1000)
  expect(paidCents(paid)).toBe(700)
  expect(isCovered(paid)).toBe(false)
})

it('no half percent is forgiven once the crypto payment is reversed', () => {
  const upiPaid = [...crypto, requested(2, 'upi'), received(2, 996)]
  expect(isCovered(orderAfter(...upiPaid))).toBe(false)
  expect(isCovered(orderAfter(...upiPaid, received(1, 100), reversed('receipt-1', 100)))).toBe(false)
})

it('an order is no longer ready once it is reversed, completed or deleted', () => {
  for (const end of [reversed('receipt-1', 1), completed(), deleted()])
    expect(readinessOf(orderAfter(...crypto, received(1, 1000), ready('staff'), end))).toBeUndefined()
})

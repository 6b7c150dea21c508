import fc from 'fast-check'
import { expect, it } from 'vitest'
import { orderHistories } from '../domain/testing/arbitraries.ts'
import type { OrderEvent } from '../domain/order/events.ts'
import { isCovered, isReversed, paidCents } from '../domain/order/order-money.ts'
import {
  heldSerial,
  isDeleted,
  isDeliveryHeld,
  isDeliveryUnknown,
  isMoneyOnItsWay,
  isOpen,
  outcomeOf,
  type PlacedOrder,
  readinessOf,
} from '../domain/order/order-state.ts'
import { isToBeDelivered } from '../domain/order/standing.ts'
import { isLineTrue, unreadRows, untrueOf } from './testing/claims.ts'
import * as facts from './testing/facts.ts'
import * as moneyFacts from './testing/money-facts.ts'
import { readOf } from './testing/read.ts'

const numRuns = Number(process.env['SENTENCE_RUNS'] ?? 400)

/** Checks an order and its facts at each step of random histories. */
function always(check: (order: PlacedOrder, known: facts.OrderFacts, last: OrderEvent) => void): void {
  fc.assert(
    fc.property(orderHistories, ({ steps }) => {
      const events: OrderEvent[] = []
      for (const { after, events: added } of steps) {
        events.push(...added)
        const known = facts.factsOf(events)
        const last = added.at(-1)
        if (after.kind === 'placed' && known && last) check(after, known, last)
      }
    }),
    { numRuns },
  )
}

it('each sentence, figure and situation that staff or buyer read is true of the events', () =>
  always((order, known, last) => {
    expect(untrueOf(known, readOf(order))).toEqual([])
    expect({ line: last.type, isTrue: isLineTrue(known, last) }).toEqual({ line: last.type, isTrue: true })
  }))

it('the facts, which share nothing with the fold of an order, agree with it', () =>
  always((order, known) => {
    expect({
      heldCents: moneyFacts.paidCents(known),
      isCovered: moneyFacts.isCovered(known),
      isReversed: facts.isReversed(known),
      wasReversed: known.wasReversed,
      isMoneySeen: facts.isMoneySeen(known),
      isOpen: facts.isLiving(known),
      outcome: known.status === 'pending' ? undefined : known.status,
      isDeleted: known.isDeleted,
      isDeliverable: facts.isDeliverable(known) && !known.isDeliveryUnknown,
      ready: known.ready?.deliveryMode,
      isDeliveryUnknown: known.isDeliveryUnknown,
      isDeliveryHeld: known.isDeliveryHeld,
      held: known.isGiven ? undefined : known.held,
    }).toEqual({
      heldCents: paidCents(order),
      isCovered: isCovered(order),
      isReversed: isReversed(order),
      wasReversed: order.wasReversed,
      isMoneySeen: isMoneyOnItsWay(order),
      isOpen: isOpen(order),
      outcome: outcomeOf(order),
      isDeleted: isDeleted(order),
      isDeliverable: isToBeDelivered(order),
      ready: readinessOf(order)?.deliveryMode,
      isDeliveryUnknown: isDeliveryUnknown(order),
      isDeliveryHeld: isDeliveryHeld(order),
      held: heldSerial(order),
    })
  }))

it('each row of claims is of a text that some order shows', () => {
  const read = fc
    .sample(orderHistories, { numRuns: 4_000, seed: 7 })
    .flatMap(({ steps }) => steps.flatMap(({ after }) => (after.kind === 'none' ? [] : [readOf(after)])))
  expect(unreadRows(read)).toEqual([])
})

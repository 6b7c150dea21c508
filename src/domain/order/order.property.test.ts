import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { orderHistories } from '../testing/arbitraries.ts'
import { type OrderEvent, orderEvents } from './events.ts'
import { order } from './order.ts'
import type { OrderCommand } from './commands.ts'
import {
  committedSerial,
  fateOf,
  heldM,
  heldOf,
  heldSerial,
  isApproved,
  isCovered,
  isDeleted,
  isDeliveryUnknown,
  isOpen,
  isSeen,
  isToBeDelivered,
  keepsCents,
  lifeBeforeDeletion,
  mayBeReinstated,
  openCapture,
  openDelivery,
  type Order,
  outcomeOf,
  outdatedSerials,
  paidCents,
  type PlacedOrder,
  readinessOf,
  receivedCents,
  refundedCents,
  revenueLeftCents,
  statusesOf,
} from './order-state.ts'

const numRuns = 400

type OrderStep = { command: OrderCommand; before: Order; events: readonly OrderEvent[]; after: Order }

/** Holds at every step of every history of an order that stands. */
function always(claim: (step: { before: PlacedOrder; after: PlacedOrder; step: OrderStep }) => void): void {
  fc.assert(
    fc.property(orderHistories, ({ steps }) => {
      for (const step of steps) {
        const { before, after } = step
        if (before.kind === 'placed' && after.kind === 'placed') claim({ before, after, step })
      }
    }),
    { numRuns },
  )
}

const has = ({ events }: OrderStep, ...types: OrderEvent['type'][]) => events.some(({ type }) => types.includes(type))

describe('the money of an order', () => {
  it('that was received is never unsaid', () =>
    always(({ before, after }) => expect(receivedCents(after)).toBeGreaterThanOrEqual(receivedCents(before))))

  it('is never less than nothing, receipt by receipt', () =>
    always(({ after }) => {
      for (const receipt of after.receipts) expect(heldOf(after, receipt)).toBeGreaterThanOrEqual(0)
    }))

  it('is recorded in whatever state the order is', () =>
    always(({ before, after, step: { command } }) => {
      if (command.type !== 'ReceivePayment' && command.type !== 'ReversePayment') return
      const { receiptId, coversCents } = command.receipt
      const coversOf = (order: PlacedOrder) =>
        order.receipts.find((known) => known.receiptId === receiptId)?.coversCents
      expect(coversOf(after) ?? 0).toBe(Math.max(coversOf(before) ?? 0, coversCents))
    }))

  it('adds up: each receipt covers the sum of what was added', () =>
    fc.assert(
      fc.property(orderHistories, ({ events, steps }) => {
        const last = steps.at(-1)?.after
        if (last?.kind !== 'placed') return
        const added = events.reduce(
          (sum, { type, data }) => sum + (type === 'PaymentReceived' ? data.addedCents : 0),
          0,
        )
        const taken = events.reduce(
          (sum, { type, data }) => sum + (type === 'PaymentReversed' ? data.takenCents : 0),
          0,
        )
        expect(receivedCents(last)).toBe(added)
        expect(paidCents(last)).toBe(added - taken - refundedCents(last))
      }),
      { numRuns },
    ))

  it('is never lost: what the shop may not keep is before staff until they have answered it at that amount', () =>
    fc.assert(
      fc.property(orderHistories, ({ steps }) => {
        let cameCents = 0
        let answeredCents = 0
        for (const { events, after } of steps) {
          for (const { type, data } of events) {
            if (type === 'PaymentReceived') cameCents += data.addedCents
            if (type === 'PaymentReversed') cameCents -= Math.min(0, data.takenCents)
            if (type === 'AttentionSettled') answeredCents = cameCents
          }
          if (after.kind === 'none' || mayBeReinstated(after)) continue
          const reasons = after.attention.map(({ reason }) => reason)
          if (paidCents(after) > keepsCents(after) && cameCents > answeredCents)
            expect(reasons).toContain(isOpen(after) || committedSerial(after) !== undefined ? 'over' : 'unearned')
          if (isOpen(after) && paidCents(after) > 0 && !isToBeDelivered(after)) expect(reasons).not.toEqual([])
        }
      }),
      { numRuns },
    ))

  it('that is only seen is before staff once the order has ended, until they have answered it', () =>
    fc.assert(
      fc.property(orderHistories, ({ steps }) => {
        for (const { events, after } of steps) {
          if (after.kind === 'none' || events.some(({ type }) => type === 'AttentionSettled')) return
          if (!isOpen(after) && after.attempts.some(isSeen))
            expect(after.attention.map(({ reason }) => reason)).toContain('never-confirmed')
        }
      }),
      { numRuns },
    ))
})

describe('a refund', () => {
  it('adds up by its receipts, and never takes more from the revenue than was there', () =>
    always(({ after }) => {
      for (const { amountCents, parts } of after.refunds)
        expect(parts.reduce((sum, part) => sum + part.amountCents, 0)).toBe(amountCents)
      expect(revenueLeftCents(after)).toBeGreaterThanOrEqual(0)
    }))

  it('of money that the provider then reverses adds nothing: no more is gone than the provider says, or staff', () =>
    always(({ before, after, step: { command } }) => {
      if (command.type !== 'ReversePayment') return
      const { receiptId } = command.receipt
      const goneOf = (order: PlacedOrder) =>
        order.receipts.flatMap((receipt) =>
          receipt.receiptId === receiptId ? [receipt.coversCents - heldOf(order, receipt)] : [],
        )[0] ?? 0
      expect(goneOf(after)).toBeLessThanOrEqual(Math.max(goneOf(before), command.reversedCents))
    }))

  it('that leaves an order unpaid ends it: it comes back by the word of staff alone', () =>
    always(({ before, after, step }) => {
      if (has(step, 'RefundRecorded') && isOpen(after)) expect(isCovered(after)).toBe(true)
      if (outcomeOf(before) === 'refunded' && isOpen(after)) expect(step.command.type).toBe('ApproveOrder')
    }))
})

describe('an order', () => {
  it('that was completed stays completed', () =>
    always(({ before, after, step }) => {
      if (outcomeOf(before) !== 'completed') return
      expect(outcomeOf(after)).toBe('completed')
      expect(lifeBeforeDeletion(after)).toStrictEqual(lifeBeforeDeletion(before))
      expect(has(step, 'OrderCompleted', 'OrderApproved', 'OrderReinstated', 'OrderExpired', 'OrderCancelled')).toBe(
        false,
      )
    }))

  it('is completed only with coins in hand, and paid or approved, or by the answer to a call that was', () =>
    always(({ before, step }) => {
      const at = step.events.findIndex(({ type }) => type === 'OrderCompleted')
      if (at < 0) return
      const ready = stateBefore(step, at)
      expect(heldM(ready)).toBe(ready.placed.quantityM)
      const wasCalledFor =
        step.command.type === 'ConfirmDelivery' && (openDelivery(before) || isDeliveryUnknown(before))
      expect(isToBeDelivered(ready) || isApproved(ready) || Boolean(wasCalledFor)).toBe(true)
    }))

  it('is called for only when it is paid and never reversed, or approved and not reversed since', () =>
    always(({ before, step }) => {
      if (!has(step, 'DeliveryRequested')) return
      expect(isApproved(before) || (isCovered(before) && !before.wasReversed)).toBe(true)
    }))

  it('that was deleted stays deleted, and gives nothing away any more', () =>
    always(({ before, after, step }) => {
      if (!isDeleted(before)) return
      expect(isDeleted(after)).toBe(true)
      expect(has(step, 'OrderCompleted', 'OrderReinstated', 'OrderApproved', 'DeliveryRequested')).toBe(false)
    }))

  it('neither ends nor is paid anew while a capture is open; only the answer closes it', () =>
    always(({ before, after, step }) => {
      const capture = openCapture(before)
      if (!capture) return
      const ends: OrderEvent['type'][] = ['OrderExpired', 'OrderCancelled', 'OrderApproved', 'OrderDeleted']
      expect(has(step, ...ends, 'DeliveryRequested', 'PaymentRequested', 'CaptureRequested')).toBe(false)
      if (has(step, 'OrderCompleted')) expect(openCapture(after)).toBeUndefined()
      if (openCapture(after)) return
      const answers = new Set(['PaymentReceived', 'PaymentSeen', 'PaymentFailed'])
      const { attempt } = capture
      expect(
        step.events.some(
          (event) => answers.has(event.type) && 'attempt' in event.data && event.data.attempt === attempt,
        ),
      ).toBe(true)
    }))

  it('is captured only while it is pending and owes something', () =>
    always(({ before, step }) => {
      if (!has(step, 'CaptureRequested')) return
      expect(outcomeOf(before)).toBeUndefined()
      expect(isDeleted(before) || isApproved(before) || isCovered(before) || openDelivery(before) !== undefined).toBe(
        false,
      )
    }))

  it('neither ends nor is captured while a delivery is open or its end unknown, but by its answer or by staff', () =>
    always(({ before, step }) => {
      if (!openDelivery(before) && !isDeliveryUnknown(before)) return
      expect(has(step, 'OrderExpired', 'OrderCancelled', 'CaptureRequested', 'DeliveryRequested')).toBe(false)
      if (openDelivery(before)) expect(has(step, 'OrderApproved', 'OrderDeleted')).toBe(false)
      if (has(step, 'OrderCompleted'))
        expect(['ConfirmDelivery', 'ApproveOrder', 'RecordRefund']).toContain(step.command.type)
    }))

  it('holds coins exactly while it is pending', () =>
    always(({ after }) => {
      expect(heldSerial(after) !== undefined).toBe(isOpen(after))
      if (heldSerial(after) === undefined) return
      expect(after.claims.at(-1)?.serial).toBe(heldSerial(after))
      if (!after.placed.preOrder) expect(heldM(after)).toBe(after.placed.quantityM)
    }))

  it('that cannot end by itself is before the eyes of staff', () =>
    always(({ after }) => {
      if (!isOpen(after)) return
      const isStuck = isDeliveryUnknown(after) || (isCovered(after) && after.wasReversed && !isApproved(after))
      if (isStuck) expect(after.attention.length).toBeGreaterThan(0)
    }))

  it('shows completed to the world only when it is, or is about to be', () =>
    always(({ after }) => {
      const { status, paymentStatus } = statusesOf(after)
      expect(status === 'completed').toBe(outcomeOf(after) === 'completed')
      if (status === 'pending' && paymentStatus === 'completed')
        expect(isCovered(after) || isApproved(after)).toBe(true)
    }))
})

/** What the order was when the event at this place of the step was added. */
function stateBefore(step: OrderStep, place: number): PlacedOrder {
  const state = fold({ ...order, initial: step.before }, step.events.slice(0, place))
  if (state.kind === 'none') throw new Error('the order stands')
  return state
}

describe('an order that is ready', () => {
  it('stays with the mode in which it became so', () =>
    always(({ before, after, step }) => {
      if (!readinessOf(before) || !readinessOf(after) || has(step, 'OrderReady')) return
      expect(readinessOf(after)).toStrictEqual(readinessOf(before))
    }))

  it('is completed by money alone only under instant', () =>
    always(({ step }) => {
      const { command } = step
      const isNews = command.type === 'ReceivePayment' || command.type === 'ReversePayment'
      if (isNews && has(step, 'OrderCompleted')) expect(command.deliveryMode).toBe('instant')
    }))

  it('leaves the list of staff by delivery, or with the question whether its coins were given', () =>
    always(({ before, after, step }) => {
      if (readinessOf(before)?.deliveryMode !== 'staff' || readinessOf(after) || has(step, 'OrderCompleted')) return
      const isAnswered = step.events.some(
        (event) => (event.type === 'OrderDeleted' || event.type === 'RefundRecorded') && event.data.coinsGiven !== null,
      )
      expect(isAnswered || isDeliveryUnknown(after)).toBe(true)
      if (isDeliveryUnknown(after)) expect(heldSerial(after)).toBe(heldSerial(before))
    }))
})

describe('a reservation', () => {
  it('ends once: committed or released, for good, and never both', () =>
    fc.assert(
      fc.property(orderHistories, ({ steps }) => {
        const fates = new Map<number, string>()
        const reservations: { claimAt: number; serial: number }[] = []
        for (const [index, { before, after }] of steps.entries()) {
          // Each command comes with a serial of its own, reserved for the place at which its claim would stand.
          reservations.push({ claimAt: before.next, serial: index + 1 })
          for (const reservation of reservations) {
            const fate = fateOf(after, reservation)
            const known = fates.get(reservation.serial)
            if (known === 'commit' || known === 'release') expect(fate).toBe(known)
            if (known === 'stay') expect(fate).not.toBe('fence')
            fates.set(reservation.serial, fate)
          }
        }
        expect([...fates.values()].filter((fate) => fate === 'commit').length).toBeLessThanOrEqual(1)
      }),
      { numRuns },
    ))

  it('stays exactly while it is the one that the order holds', () =>
    always(({ after }) => {
      for (const claim of after.claims) expect(fateOf(after, claim) === 'stay').toBe(claim.serial === heldSerial(after))
    }))

  it('is given back with a new one only when it is to be released', () =>
    always(({ after }) => {
      const outdated = outdatedSerials(after)
      for (const claim of after.claims) expect(outdated.includes(claim.serial)).toBe(fateOf(after, claim) === 'release')
    }))
})

it('is checked by histories with every event of an order', () => {
  const seen = new Set(
    fc.sample(orderHistories, { numRuns: 1000, seed: 7 }).flatMap(({ events }) => events.map(({ type }) => type)),
  )
  expect([...seen].sort()).toStrictEqual(Object.keys(orderEvents).sort())
})

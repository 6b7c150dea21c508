import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { orderHistories } from '../testing/arbitraries.ts'
import { decimalSum, isLess, isSame } from '../decimal.ts'
import { isLessThan, plus, whole, zero } from '../fraction.ts'
import { type OrderEvent, orderEvents } from './events.ts'
import { order } from './order.ts'
import type { OrderCommand } from './commands.ts'
import {
  centsByReceipt,
  goneOf,
  isCovered,
  isOverspent,
  paidCents,
  refundedCents,
  refundedOf,
  reversedWorth,
  worthOf,
} from './order-money.ts'
import {
  committedSerial,
  endedAt,
  fateOf,
  heldM,
  heldSerial,
  holdsStock,
  isApproved,
  isDeleted,
  isDeliveryUnknown,
  isOpen,
  isSeen,
  keepsCents,
  lifeBeforeDeletion,
  openCapture,
  openDelivery,
  openRefund,
  type OrderState,
  outcomeOf,
  outdatedSerials,
  type PlacedOrder,
  readinessOf,
  revenueLeftCents,
  stageOf,
} from './order-state.ts'
import { holdsMoney, isToBeDelivered, mayBeReinstated, statusesOf } from './standing.ts'

const numRuns = 400

type OrderStep = { command: OrderCommand; before: OrderState; events: readonly OrderEvent[]; after: OrderState }

/** Checks a claim at each step of random histories of a placed order. */
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

it('received money never becomes less', () =>
  always(({ before, after }) => expect(after.receivedCents).toBeGreaterThanOrEqual(before.receivedCents)))

it('no receipt shows a negative amount, and together they show what the order holds', () =>
  always(({ after }) => {
    const cents = [...centsByReceipt(after).values()]
    expect(cents.every((one) => one >= 0)).toBe(true)
    expect(cents.reduce((sum, one) => sum + one, 0)).toBe(paidCents(after))
  }))

it('no receipt loses a cent more than it brought', () =>
  always(({ after }) => expect(after.receipts.some((receipt) => isOverspent(after, receipt))).toBe(false)))

it('money is recorded in any state of the order', () =>
  always(({ before, after, step: { command } }) => {
    if (command.type !== 'ReceivePayment' && command.type !== 'ReportRefund') return
    const { receiptId, amount } = command.receipt
    const amountIn = (order: PlacedOrder) =>
      order.receipts.find((known) => known.receiptId === receiptId)?.amount ?? '0'
    expect(isSame(amountIn(after), isLess(amountIn(before), amount) ? amount : amountIn(before))).toBe(true)
  }))

it('the money of an order is the sum of its events', () =>
  fc.assert(
    fc.property(orderHistories, ({ events, steps }) => {
      const last = steps.at(-1)?.after
      if (last?.kind !== 'placed') return
      const added = events.reduce((sum, { type, data }) => sum + (type === 'PaymentReceived' ? data.addedCents : 0), 0)
      const taken = events.reduce((sum, { type, data }) => sum + (type === 'PaymentReversed' ? data.takenCents : 0), 0)
      expect(last.receivedCents).toBe(added)
      expect(paidCents(last)).toBe(added - taken - refundedCents(last))
    }),
    { numRuns },
  ))

it('money that the shop may not keep is in the staff list until staff settle that amount', () =>
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

it('money that is only seen is in the staff list after the end of the order, until staff settle it', () =>
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

it('the parts of a refund add up, and it never takes more from the revenue than was there', () =>
  always(({ after }) => {
    for (const { amountCents, parts } of after.refunds)
      expect(parts.reduce((sum, part) => sum + part.amountCents, 0)).toBe(amountCents)
    expect(revenueLeftCents(after)).toBeGreaterThanOrEqual(0)
  }))

it('a reversal of refunded money does not subtract it twice', () =>
  always(({ before, after, step: { command } }) => {
    if (command.type !== 'ReportRefund') return
    const { receiptId } = command.receipt
    const goneIn = (order: PlacedOrder) => {
      const receipt = order.receipts.find((known) => known.receiptId === receiptId)
      return receipt ? plus(reversedWorth(order, receipt), whole(refundedOf(order, receiptId))) : zero
    }
    const known = after.receipts.find((receipt) => receipt.receiptId === receiptId)
    if (!known || !isLessThan(goneIn(before), goneIn(after))) return
    // The receipt may have grown, of which more had gone before.
    const sentAmounts = (command.refunds ?? []).map(({ amount }) => amount)
    const reported = [goneOf(command.back), known.reversed.amount, ...sentAmounts].map((amount) =>
      worthOf(after, known, amount),
    )
    // What the shop sends counts rounded up to a cent.
    const sent = whole(after.refunds.filter((refund) => refund.sent).length)
    expect(reported.some((worth) => !isLessThan(plus(worth, sent), goneIn(after)))).toBe(true)
  }))

it('a refund that leaves an order unpaid ends it, unless its coins may be given; only an approval brings it back', () =>
  always(({ before, after, step }) => {
    const refundAt = step.events.findIndex(({ type }) => type === 'RefundRecorded')
    // The same report may take more of the money back, which leaves an order open.
    const refunded = refundAt < 0 ? undefined : stateBefore(step, refundAt + 1)
    if (refunded && isOpen(refunded) && !isCovered(refunded)) {
      // Only the provider's word about a sent refund finds an order whose coins may be given.
      expect(isDeliveryUnknown(refunded) || openDelivery(refunded) !== undefined).toBe(true)
      expect(step.command.type).not.toBe('RecordRefund')
    }
    if (outcomeOf(before) === 'refunded' && isOpen(after)) expect(step.command.type).toBe('ApproveOrder')
  }))

it('a completed order stays completed', () =>
  always(({ before, after, step }) => {
    if (outcomeOf(before) !== 'completed') return
    expect(outcomeOf(after)).toBe('completed')
    expect(lifeBeforeDeletion(after)).toStrictEqual(lifeBeforeDeletion(before))
    expect(has(step, 'OrderCompleted', 'OrderApproved', 'OrderReinstated', 'OrderExpired', 'OrderCancelled')).toBe(
      false,
    )
  }))

it('an order is completed only with reserved coins, and paid, approved or called for', () =>
  always(({ before, step }) => {
    const at = step.events.findIndex(({ type }) => type === 'OrderCompleted')
    if (at < 0) return
    const ready = stateBefore(step, at)
    expect(heldM(ready)).toBe(ready.placed.quantityM)
    const wasCalledFor = step.command.type === 'ConfirmDelivery' && (openDelivery(before) || isDeliveryUnknown(before))
    expect(isToBeDelivered(ready) || isApproved(ready) || Boolean(wasCalledFor)).toBe(true)
  }))

it('the bot is called only for an order of its own that is paid and never reversed, or approved', () =>
  always(({ before, step }) => {
    if (!has(step, 'DeliveryRequested')) return
    expect(isApproved(before) || (isCovered(before) && !before.wasReversed)).toBe(true)
    expect(openRefund(before)).toBeUndefined()
    expect(readinessOf(before)?.deliveryMode).toBe('webhook')
  }))

it('an order is ready exactly when it can be handed over: paid or approved, with its coins, and no call open or unknown', () =>
  always(({ after }) => {
    const { kind } = stageOf(after)
    const mayBeHandedOver = isToBeDelivered(after) && holdsStock(after) && kind !== 'capturing' && kind !== 'delivering'
    // While a refund is to be sent, no order becomes ready, and none in the list leaves it.
    if (kind === 'ready' || !openRefund(after)) expect(kind === 'ready').toBe(mayBeHandedOver)
  }))

it('an order with money, an approval or coins to hand over neither expires nor is cancelled', () =>
  always(({ before, step }) => {
    if (!has(step, 'OrderExpired', 'OrderCancelled')) return
    expect(isApproved(before) || isToBeDelivered(before)).toBe(false)
    if (has(step, 'OrderCancelled')) expect(holdsMoney(before) || before.receivedCents > 0).toBe(false)
  }))

it('an open order is not settled, and an open or lost dispute is not opened again', () =>
  always(({ before, step }) => {
    if (has(step, 'AttentionSettled')) expect(isOpen(before)).toBe(false)
    for (const { type, data } of step.events) {
      if (type !== 'PaymentDisputed') continue
      const known = before.disputes.find(({ disputeId }) => disputeId === data.disputeId)
      // An open one only because its answer is due at another time.
      expect(known?.respondBy === data.respondBy ? ['won'] : ['won', 'open']).toContain(known?.outcome ?? 'won')
    }
  }))

it('the watch of a payment ends once: by a poll that began seven days after the end of its order, or when staff settle', () =>
  always(({ before, step: { command, events } }) => {
    for (const { type, data } of events) {
      if (type !== 'PaymentWatchEnded' || (data.isUnclear && !before.attempts[data.attempt - 1]?.isWatched)) continue
      expect(before.attempts[data.attempt - 1]?.isWatched).toBe(true)
      const sinceMs = Date.parse(command.type === 'EndPaymentWatch' ? command.pollBeganAt : data.at)
      expect(sinceMs - Date.parse(endedAt(before) ?? '')).toBeGreaterThanOrEqual(7 * 86_400_000)
    }
  }))

it('a deleted order stays deleted and delivers nothing', () =>
  always(({ before, after, step }) => {
    if (!isDeleted(before)) return
    expect(isDeleted(after)).toBe(true)
    expect(has(step, 'OrderCompleted', 'OrderReinstated', 'OrderApproved', 'DeliveryRequested')).toBe(false)
  }))

it('an order neither ends nor requests a payment while a capture is open, and only its result closes the capture', () =>
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
      step.events.some((event) => answers.has(event.type) && 'attempt' in event.data && event.data.attempt === attempt),
    ).toBe(true)
  }))

it('while a refund is to be sent nothing else becomes of an order, and it is closed once', () =>
  fc.assert(
    fc.property(orderHistories, ({ steps, events }) => {
      for (const step of steps) {
        if (step.before.kind === 'none' || !openRefund(step.before)) continue
        const ends: OrderEvent['type'][] = ['OrderExpired', 'OrderCancelled', 'OrderApproved', 'OrderDeleted']
        const others: OrderEvent['type'][] = ['OrderReinstated', 'RefundRequested', 'AttentionSettled']
        expect(has(step, ...ends, ...others, 'DeliveryRequested', 'PaymentRequested', 'CaptureRequested')).toBe(false)
        const isClosed = has(step, 'RefundRecorded', 'RefundFailed')
        // The bot's late answer is a fact.
        const isFact = step.command.type === 'ConfirmDelivery'
        if (has(step, 'OrderCompleted', 'OrderReady')) expect(isClosed || isFact).toBe(true)
        expect(step.after.kind === 'placed' && openRefund(step.after) !== undefined).toBe(!isClosed)
      }
      const ids = events.flatMap(({ type, data }) => (type === 'RefundRecorded' ? [data.refundId] : []))
      expect(new Set(ids).size).toBe(ids.length)
    }),
    { numRuns },
  ))

it('what is asked to be sent back of a receipt is never more than it still holds', () =>
  always(({ before, step }) => {
    for (const { type, data } of step.events) {
      if (type !== 'RefundRequested') continue
      const receipt = before.receipts.find(({ receiptId }) => receiptId === data.receiptId)
      const sent = before.refunds.flatMap(({ parts, sent: one }) =>
        parts[0]?.receiptId === data.receiptId && one ? [one.amount] : [],
      )
      expect(isLess(receipt?.amount ?? '0', decimalSum([data.amount, ...sent]))).toBe(false)
    }
  }))

it('a payment is captured only while its order is pending and owes money', () =>
  always(({ before, step }) => {
    if (!has(step, 'CaptureRequested')) return
    expect(outcomeOf(before)).toBeUndefined()
    expect(isDeleted(before) || isApproved(before) || isCovered(before) || openDelivery(before) !== undefined).toBe(
      false,
    )
  }))

it('while a delivery is open or its result unknown, only its result or staff end an order', () =>
  always(({ before, step }) => {
    if (!openDelivery(before) && !isDeliveryUnknown(before)) return
    expect(has(step, 'OrderExpired', 'OrderCancelled', 'CaptureRequested', 'DeliveryRequested')).toBe(false)
    if (openDelivery(before)) expect(has(step, 'OrderApproved', 'OrderDeleted')).toBe(false)
    if (has(step, 'OrderCompleted'))
      expect(['ConfirmDelivery', 'ApproveOrder', 'RecordRefund', 'RequestRefund']).toContain(step.command.type)
  }))

it('an order holds coins exactly while it is pending', () =>
  always(({ after }) => {
    expect(heldSerial(after) !== undefined).toBe(isOpen(after))
    if (heldSerial(after) === undefined) return
    expect(after.claims.at(-1)?.serial).toBe(heldSerial(after))
    if (!after.placed.preOrder) expect(heldM(after)).toBe(after.placed.quantityM)
  }))

it('an order that cannot end by itself is in the staff list', () =>
  always(({ after }) => {
    if (!isOpen(after)) return
    const isStuck = isDeliveryUnknown(after) || (isCovered(after) && after.wasReversed && !isApproved(after))
    if (isStuck) expect(after.attention.length).toBeGreaterThan(0)
  }))

it('an order is shown as completed only when it is paid or approved', () =>
  always(({ after }) => {
    const { status, paymentStatus } = statusesOf(after)
    expect(status === 'completed').toBe(outcomeOf(after) === 'completed')
    if (status === 'pending' && paymentStatus === 'completed') expect(isCovered(after) || isApproved(after)).toBe(true)
  }))

/** The order before the event at this index of the step. */
function stateBefore(step: OrderStep, place: number): PlacedOrder {
  const state = fold({ ...order, initial: step.before }, step.events.slice(0, place))
  if (state.kind === 'none') throw new Error('the order must exist')
  return state
}

it('a ready order keeps its delivery mode', () =>
  always(({ before, after, step }) => {
    if (!readinessOf(before) || !readinessOf(after) || has(step, 'OrderReady')) return
    expect(readinessOf(after)).toStrictEqual(readinessOf(before))
  }))

it('money alone completes an order only with instant delivery', () =>
  always(({ step }) => {
    const { command } = step
    const isNews = command.type === 'ReceivePayment' || command.type === 'ReportRefund'
    if (isNews && has(step, 'OrderCompleted')) expect(command.deliveryMode).toBe('instant')
  }))

it('an order that leaves the list of staff undelivered asks whether its coins were given', () =>
  always(({ before, after, step }) => {
    if (readinessOf(before)?.deliveryMode !== 'staff' || readinessOf(after) || has(step, 'OrderCompleted')) return
    const isAnswered = step.events.some(
      (event) => (event.type === 'OrderDeleted' || event.type === 'RefundRecorded') && event.data.coinsGiven !== null,
    )
    expect(isAnswered || isDeliveryUnknown(after)).toBe(true)
    if (isDeliveryUnknown(after)) expect(heldSerial(after)).toBe(heldSerial(before))
  }))

it('a reservation is either committed or released, for good', () =>
  fc.assert(
    fc.property(orderHistories, ({ steps }) => {
      const fates = new Map<number, string>()
      const reservations: { claimAt: number; serial: number }[] = []
      for (const [index, { before, after }] of steps.entries()) {
        // Each command has its own serial, reserved for the revision that its claim would get.
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

it('a reservation stays exactly while its order holds it', () =>
  always(({ after }) => {
    for (const claim of after.claims) expect(fateOf(after, claim) === 'stay').toBe(claim.serial === heldSerial(after))
  }))

it('a new reservation replaces exactly those that are to be released', () =>
  always(({ after }) => {
    const outdated = outdatedSerials(after)
    for (const claim of after.claims) expect(outdated.includes(claim.serial)).toBe(fateOf(after, claim) === 'release')
  }))

it('the random histories contain every event of an order', () => {
  const seen = new Set(
    fc.sample(orderHistories, { numRuns: 2000, seed: 7 }).flatMap(({ events }) => events.map(({ type }) => type)),
  )
  expect([...seen].sort()).toStrictEqual(Object.keys(orderEvents).sort())
})

import { describe, expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { examplesOf } from '../testing/examples.ts'
import type { ReceiptEvent, ReceiptFacts } from './events.ts'
import { receipt } from './receipt.ts'

const { emits, ignores, refuses } = examplesOf(receipt)

const facts: ReceiptFacts = {
  provider: 'paypal',
  receiptId: 'capture-1',
  orderId: 'order-1',
  attempt: 1,
  amount: '10.40',
  currency: 'USD',
  coversCents: 1000,
  at: '2026-03-01T12:00:00.000Z',
}
const others: ReceiptFacts = { ...facts, orderId: 'order-2', attempt: 3 }
const claim = { type: 'ClaimReceipt', facts } as const
const othersClaim = { type: 'ClaimReceipt', facts: others } as const
const claimed: ReceiptEvent = { type: 'ReceiptClaimed', data: facts }
const refused: ReceiptEvent = { type: 'ReceiptRefused', data: { ...others, claimedByOrderId: 'order-1' } }

describe('a receipt', () => {
  it('pays the order that comes with it first', () => emits([], claim, claimed))
  it('is not claimed anew when its amount grew: the order records that', () =>
    ignores([claimed], { ...claim, facts: { ...facts, coversCents: 2000 } }))
  it('is refused to another order', () => emits([claimed], othersClaim, refused))
  it('still belongs to the first', () => ignores([claimed, refused], claim))
  it('is refused to each other order', () =>
    emits(
      [claimed, refused],
      { ...claim, facts: { ...facts, orderId: 'order-3' } },
      { type: 'ReceiptRefused', data: { ...facts, orderId: 'order-3', claimedByOrderId: 'order-1' } },
    ))
  const { provider, receiptId, amount, currency, at } = facts
  const unplacedFacts = { provider, receiptId, amount, currency, reference: 'REFERENCE-1', at }
  const note = { type: 'NoteUnplacedReceipt', facts: unplacedFacts } as const
  const unplaced: ReceiptEvent = { type: 'ReceiptUnplaced', data: unplacedFacts }
  it('of no order is noted once', () => {
    emits([], note, unplaced)
    ignores([unplaced], note)
    ignores([claimed], note)
  })
  it('of no order pays the order that turns up', () => {
    emits([unplaced], claim, claimed)
    expect(fold(receipt, [unplaced, claimed])).toMatchObject({ claim: facts, unplaced: undefined })
  })
  const settle = { type: 'SettleUnplacedReceipt', outcome: 'paid-back', adminId: 'owner', at } as const
  const settledFacts = { provider, receiptId, outcome: 'paid-back', adminId: 'owner', at } as const
  const settled: ReceiptEvent = { type: 'ReceiptUnplacedSettled', data: settledFacts }
  it('of no order is settled by staff once', () => {
    emits([unplaced], settle, settled)
    ignores([unplaced, settled], settle)
    ignores([unplaced, settled], note)
  })
  it('that an order has, or that nobody noted, is not settled', () => {
    refuses([unplaced, claimed], settle, 'receipt/not-unplaced')
    refuses([], settle, 'receipt/not-unplaced')
  })
  it('that staff settled pays no order that turns up', () => {
    const toldOnce: ReceiptEvent = { type: 'ReceiptRefused', data: { ...facts, claimedByOrderId: 'settled' } }
    emits([unplaced, settled], claim, toldOnce)
    ignores([unplaced, settled, toldOnce], claim)
  })
  it('knows who has it and who was refused', () =>
    expect(fold(receipt, [claimed, refused])).toStrictEqual({
      claim: facts,
      refusedOrderIds: ['order-2'],
      unplaced: undefined,
      isSettled: false,
    }))
})

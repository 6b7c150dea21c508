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
  askedAmount: '10.40',
  at: '2026-03-01T12:00:00.000Z',
}
const others: ReceiptFacts = { ...facts, orderId: 'order-2', attempt: 3 }
const claim = { type: 'ClaimReceipt', facts } as const
const othersClaim = { type: 'ClaimReceipt', facts: others } as const
const claimed: ReceiptEvent = { type: 'ReceiptClaimed', data: facts }
const refused: ReceiptEvent = { type: 'ReceiptRefused', data: { ...others, claimedByOrderId: 'order-1' } }

describe('a receipt', () => {
  it('a receipt pays the first order that claims it', () => emits([], claim, claimed))
  it('a receipt whose amount grew is not claimed again', () =>
    ignores([claimed], { ...claim, facts: { ...facts, amount: '20.80' } }))
  it('a claimed receipt is refused to another order', () => emits([claimed], othersClaim, refused))
  it('a refused claim leaves the receipt with the first order', () => ignores([claimed, refused], claim))
  it('a claimed receipt is refused to each other order', () =>
    emits(
      [claimed, refused],
      { ...claim, facts: { ...facts, orderId: 'order-3' } },
      { type: 'ReceiptRefused', data: { ...facts, orderId: 'order-3', claimedByOrderId: 'order-1' } },
    ))
  const { provider, receiptId, amount, currency, at } = facts
  const unplacedFacts = { provider, receiptId, amount, currency, reference: 'REFERENCE-1', at }
  const note = { type: 'NoteUnplacedReceipt', facts: unplacedFacts } as const
  const unplaced: ReceiptEvent = { type: 'ReceiptUnplaced', data: unplacedFacts }
  it('a receipt of no order is recorded once', () => {
    emits([], note, unplaced)
    ignores([unplaced], note)
    ignores([claimed], note)
  })
  it('a receipt of no order pays an order that is found later', () => {
    emits([unplaced], claim, claimed)
    expect(fold(receipt, [unplaced, claimed])).toMatchObject({ claim: facts, unplaced: undefined })
  })
  const settle = { type: 'SettleUnplacedReceipt', outcome: 'paid-back', adminId: 'owner', at } as const
  const settledFacts = { provider, receiptId, outcome: 'paid-back', adminId: 'owner', at } as const
  const settled: ReceiptEvent = { type: 'ReceiptUnplacedSettled', data: settledFacts }
  it('a receipt of no order is settled by staff once', () => {
    emits([unplaced], settle, settled)
    ignores([unplaced, settled], settle)
    ignores([unplaced, settled], note)
  })
  it('a receipt that is claimed or unknown cannot be settled', () => {
    refuses([unplaced, claimed], settle, 'receipt/not-unplaced')
    refuses([], settle, 'receipt/not-unplaced')
  })
  it('a settled receipt pays no order that is found later', () => {
    const toldOnce: ReceiptEvent = { type: 'ReceiptRefused', data: { ...facts, claimedByOrderId: null } }
    emits([unplaced, settled], claim, toldOnce)
    ignores([unplaced, settled, toldOnce], claim)
  })
  it('a receipt knows who claimed it and who was refused', () =>
    expect(fold(receipt, [claimed, refused])).toStrictEqual({
      claim: facts,
      refused: [{ orderId: 'order-2', attempt: 3 }],
      unplaced: undefined,
      isSettled: false,
    }))
})

import { describe, expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { given as givenDecider } from '../testing/given.ts'
import type { ReceiptEvent, ReceiptFacts } from './events.ts'
import { receipt } from './receipt.ts'

const given = givenDecider(receipt)

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
  it('pays the order that comes with it first', () => given().when(claim).emits(claimed))
  it('is claimed once', () => given(claimed).when(claim).changesNothing())
  it('is not claimed anew when its amount grew: the order records that', () =>
    given(claimed)
      .when({ ...claim, facts: { ...facts, coversCents: 2000 } })
      .changesNothing())
  it('is refused to another order', () => given(claimed).when(othersClaim).emits(refused))
  it('is refused to it once', () => given(claimed, refused).when(othersClaim).changesNothing())
  it('still belongs to the first', () => given(claimed, refused).when(claim).changesNothing())
  it('is refused to each other order', () =>
    given(claimed, refused)
      .when({ ...claim, facts: { ...facts, orderId: 'order-3' } })
      .emits({ type: 'ReceiptRefused', data: { ...facts, orderId: 'order-3', claimedByOrderId: 'order-1' } }))
  const { provider, receiptId, amount, currency, at } = facts
  const unplacedFacts = { provider, receiptId, amount, currency, reference: 'REFERENCE-1', at }
  const note = { type: 'NoteUnplacedReceipt', facts: unplacedFacts } as const
  const unplaced: ReceiptEvent = { type: 'ReceiptUnplaced', data: unplacedFacts }
  it('of no order is noted once', () => {
    given().when(note).emits(unplaced)
    given(unplaced).when(note).changesNothing()
    given(claimed).when(note).changesNothing()
  })
  it('of no order pays the order that turns up', () => {
    given(unplaced).when(claim).emits(claimed)
    expect(fold(receipt, [unplaced, claimed])).toMatchObject({ claim: facts, unplaced: undefined })
  })
  const settle = { type: 'SettleUnplacedReceipt', outcome: 'paid-back', adminId: 'owner', at } as const
  const settledFacts = { provider, receiptId, outcome: 'paid-back', adminId: 'owner', at } as const
  const settled: ReceiptEvent = { type: 'ReceiptUnplacedSettled', data: settledFacts }
  it('of no order is settled by staff once', () => {
    given(unplaced).when(settle).emits(settled)
    given(unplaced, settled).when(settle).changesNothing()
    given(unplaced, settled).when(note).changesNothing()
  })
  it('that an order has, or that nobody noted, is not settled', () => {
    given(unplaced, claimed).when(settle).refuses('receipt/not-unplaced')
    given().when(settle).refuses('receipt/not-unplaced')
  })
  it('that staff settled pays no order that turns up', () => {
    const toldOnce: ReceiptEvent = { type: 'ReceiptRefused', data: { ...facts, claimedByOrderId: 'settled' } }
    given(unplaced, settled).when(claim).emits(toldOnce)
    given(unplaced, settled, toldOnce).when(claim).changesNothing()
  })
  it('knows who has it and who was refused', () =>
    expect(fold(receipt, [claimed, refused])).toStrictEqual({
      claim: facts,
      refusedOrderIds: ['order-2'],
      unplaced: undefined,
      isSettled: false,
    }))
})

import type { Decider } from '../decider.ts'
import { Refusal } from '../refusal.ts'
import type { UnplacedOutcome } from '../words.ts'
import type { ReceiptEvent, ReceiptFacts, UnplacedFacts } from './events.ts'

type ReceiptCommand =
  | { type: 'ClaimReceipt'; facts: ReceiptFacts }
  | { type: 'NoteUnplacedReceipt'; facts: UnplacedFacts }
  | { type: 'SettleUnplacedReceipt'; outcome: UnplacedOutcome; adminId: string; at: string }

/** One receipt pays one order: the first to claim it. */
export interface Receipt {
  readonly claim: ReceiptFacts | undefined
  /** The payments that were refused it, one of each order. */
  readonly refused: readonly Pick<ReceiptFacts, 'orderId' | 'attempt'>[]
  /** Money without an order; its order may still claim it later. */
  readonly unplaced: UnplacedFacts | undefined
  /** Staff settled it without an order: it pays none. */
  readonly isSettled: boolean
}

const initial: Receipt = { claim: undefined, refused: [], unplaced: undefined, isSettled: false }

function decide(command: ReceiptCommand, receipt: Receipt): ReceiptEvent[] {
  switch (command.type) {
    case 'ClaimReceipt':
      return claimReceipt(command.facts, receipt)
    case 'NoteUnplacedReceipt':
      return receipt.claim || receipt.unplaced ? [] : [{ type: 'ReceiptUnplaced', data: command.facts }]
    case 'SettleUnplacedReceipt': {
      if (!receipt.unplaced || receipt.claim)
        throw new Refusal('receipt/not-unplaced', 'This money is not without an order any more. Look again.')
      if (receipt.isSettled) return []
      const { provider, receiptId } = receipt.unplaced
      const { type: _type, ...settled } = command
      return [{ type: 'ReceiptUnplacedSettled', data: { provider, receiptId, ...settled } }]
    }
  }
}

function claimReceipt(facts: ReceiptFacts, { claim, isSettled, refused }: Receipt): ReceiptEvent[] {
  const claimedByOrderId = isSettled ? null : claim?.orderId
  if (claimedByOrderId === undefined) return [{ type: 'ReceiptClaimed', data: facts }]
  const { orderId } = facts
  if (claimedByOrderId === orderId || refused.some((known) => known.orderId === orderId)) return []
  return [{ type: 'ReceiptRefused', data: { ...facts, claimedByOrderId } }]
}

function evolve(receipt: Receipt, event: ReceiptEvent): Receipt {
  switch (event.type) {
    case 'ReceiptClaimed':
      return { ...receipt, claim: event.data, unplaced: undefined }
    case 'ReceiptRefused': {
      const { orderId, attempt } = event.data
      return { ...receipt, refused: [...receipt.refused, { orderId, attempt }] }
    }
    case 'ReceiptUnplaced':
      return { ...receipt, unplaced: event.data }
    case 'ReceiptUnplacedSettled':
      return { ...receipt, isSettled: true }
  }
}

export const receipt: Decider<ReceiptCommand, Receipt, ReceiptEvent> = { initial, decide, evolve }

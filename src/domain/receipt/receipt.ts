import type { Decider } from '../decider.ts'
import type { ReceiptEvent, ReceiptFacts, UnplacedFacts } from './events.ts'

export type ReceiptCommand =
  { type: 'ClaimReceipt'; facts: ReceiptFacts } | { type: 'NoteUnplacedReceipt'; facts: UnplacedFacts }

/** One receipt pays one order: the first to claim it. */
export interface Receipt {
  readonly claim: ReceiptFacts | undefined
  readonly refusedOrderIds: readonly string[]
  /** Money without an order; an order that turns up may still claim it. */
  readonly isUnplaced: boolean
}

const initial: Receipt = { claim: undefined, refusedOrderIds: [], isUnplaced: false }

function decide(command: ReceiptCommand, receipt: Receipt): ReceiptEvent[] {
  if (command.type === 'NoteUnplacedReceipt')
    return receipt.claim || receipt.isUnplaced ? [] : [{ type: 'ReceiptUnplaced', data: command.facts }]
  const { facts } = command
  if (!receipt.claim) return [{ type: 'ReceiptClaimed', data: facts }]
  const { orderId } = facts
  if (receipt.claim.orderId === orderId || receipt.refusedOrderIds.includes(orderId)) return []
  return [{ type: 'ReceiptRefused', data: { ...facts, claimedByOrderId: receipt.claim.orderId } }]
}

function evolve(receipt: Receipt, event: ReceiptEvent): Receipt {
  switch (event.type) {
    case 'ReceiptClaimed':
      return { ...receipt, claim: event.data, isUnplaced: false }
    case 'ReceiptRefused':
      return { ...receipt, refusedOrderIds: [...receipt.refusedOrderIds, event.data.orderId] }
    case 'ReceiptUnplaced':
      return { ...receipt, isUnplaced: true }
  }
}

export const receipt: Decider<ReceiptCommand, Receipt, ReceiptEvent> = { initial, decide, evolve }

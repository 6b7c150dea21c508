import type { Decider } from '../decider.ts'
import type { ReceiptEvent, ReceiptFacts } from './events.ts'

export type ReceiptCommand = { type: 'ClaimReceipt'; facts: ReceiptFacts }

/** One receipt pays one order: the first to claim it. */
export interface Receipt {
  readonly claim: ReceiptFacts | undefined
  readonly refusedOrderIds: readonly string[]
}

const initial: Receipt = { claim: undefined, refusedOrderIds: [] }

function decide({ facts }: ReceiptCommand, receipt: Receipt): ReceiptEvent[] {
  if (!receipt.claim) return [{ type: 'ReceiptClaimed', data: facts }]
  const { orderId } = facts
  if (receipt.claim.orderId === orderId || receipt.refusedOrderIds.includes(orderId)) return []
  return [{ type: 'ReceiptRefused', data: { ...facts, claimedByOrderId: receipt.claim.orderId } }]
}

function evolve(receipt: Receipt, event: ReceiptEvent): Receipt {
  switch (event.type) {
    case 'ReceiptClaimed':
      return { ...receipt, claim: event.data }
    case 'ReceiptRefused':
      return { ...receipt, refusedOrderIds: [...receipt.refusedOrderIds, event.data.orderId] }
  }
}

export const receipt: Decider<ReceiptCommand, Receipt, ReceiptEvent> = { initial, decide, evolve }

import { finishReceipt } from '../commands/finish-receipt.ts'
import type { Shop } from '../shop/shop.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, type Policy, textOf } from './policy.ts'

/** A claim is told to its order within a moment, or its process has died. */
const UNFINISHED_AFTER_MS = 10_000

/** A claim whose process died before its order knew of it. */
export function finishReceipts(shop: Shop, work: OpenWork): Policy {
  const name = 'finish-receipts'
  return {
    name,
    concurrency: 4,
    timeoutMs: 30_000,
    async due(nowMs) {
      const before = new Date(nowMs - UNFINISHED_AFTER_MS).toISOString()
      const receipts = await work.receiptsToFinish(before, CANDIDATES_MAX)
      return receipts.map(({ provider, receiptId }) => jobFor(name, { provider, receiptId }, provider, receiptId))
    },
    async run(job, caller) {
      await finishReceipt(shop, caller, { provider: textOf(job, 'provider'), receiptId: textOf(job, 'receiptId') })
    },
  }
}

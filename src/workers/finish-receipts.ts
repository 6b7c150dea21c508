import { finishReceipt } from '../commands/finish-receipt.ts'
import type { Shop } from '../shop/shop.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, type Policy, textOf } from './policy.ts'

/** A claim that its order has not recorded after this was interrupted. */
const UNFINISHED_AFTER_MS = 10_000

/** Records receipts that were claimed by a process that died before it recorded them on their order. */
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

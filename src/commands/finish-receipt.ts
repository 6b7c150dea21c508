import { receipt as receiptDecider } from '../domain/receipt/receipt.ts'
import type { Caller } from '../log/event-log.ts'
import { readState } from '../shop/handle-command.ts'
import { receiptStream } from '../shop/keys.ts'
import { applyReceipt, noteRefusal } from './record-payment.ts'
import { callerFor, type Shop } from '../shop/shop.ts'

/** Records a claimed or refused receipt on its orders, if a crash prevented that. */
export async function finishReceipt(
  shop: Shop,
  caller: Caller,
  { provider, receiptId }: { provider: string; receiptId: string },
): Promise<void> {
  const { state } = await readState(shop, receiptDecider, receiptStream(provider, receiptId))
  if (state.claim) await applyReceipt(shop, caller, state.claim, undefined)
  for (const { orderId, attempt } of state.refused)
    await noteRefusal(shop, callerFor(caller, orderId), { orderId, attempt, provider, receiptId })
}

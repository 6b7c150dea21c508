import { receipt as receiptDecider } from '../domain/receipt/receipt.ts'
import type { Caller } from '../log/event-log.ts'
import { readState } from '../shop/handle-command.ts'
import { receiptStream } from '../shop/keys.ts'
import { applyReceipt, noteRefusal } from './record-payment.ts'
import { callerFor, type CommandContext } from '../shop/command-context.ts'

/** Records a claimed or refused receipt on its orders, if a crash prevented that. */
export async function finishReceipt(
  context: CommandContext,
  caller: Caller,
  { provider, receiptId }: { provider: string; receiptId: string },
): Promise<void> {
  const { state } = await readState(context, receiptDecider, receiptStream(provider, receiptId))
  if (state.claim) await applyReceipt(context, caller, state.claim, undefined)
  for (const { orderId, attempt } of state.refused)
    await noteRefusal(context, callerFor(caller, orderId), { orderId, attempt, provider, receiptId })
}

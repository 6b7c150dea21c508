import type { UnplacedOutcome } from '../domain/words.ts'
import { receipt as receiptDecider } from '../domain/receipt/receipt.ts'
import type { Caller } from '../log/event-log.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { handleCommand } from '../shop/handle-command.ts'
import { receiptStream } from '../shop/keys.ts'
import { nowText, type CommandContext } from '../shop/command-context.ts'

/** Settles money whose order is not in the log, for staff; refused once an order has claimed it. */
export async function settleUnplacedReceipt(
  context: CommandContext,
  caller: Caller,
  request: { provider: string; receiptId: string; outcome: UnplacedOutcome; adminId: string },
): Promise<{ position: Position }> {
  const { provider, receiptId, outcome, adminId } = request
  return handleCommand(context, receiptDecider, {
    stream: receiptStream(provider, receiptId),
    command: { type: 'SettleUnplacedReceipt', outcome, adminId, at: nowText(context) },
    caller,
  })
}

import { receipt } from '../domain/receipt/receipt.ts'
import { handleCommand } from '../shop/handle-command.ts'
import { receiptStream } from '../shop/keys.ts'
import { type CommandContext, systemCaller } from '../shop/command-context.ts'

/** Records NOWPayments money whose reference names an order that is not in the log. */
export async function noteUnplacedMoney(shop: CommandContext, receiptId: string): Promise<void> {
  const at = new Date(shop.clock.now()).toISOString()
  const facts = { provider: 'nowpayments', receiptId, amount: '0.29411765', currency: 'ltc', reference: 'c-1', at }
  await handleCommand(shop, receipt, {
    stream: receiptStream('nowpayments', receiptId),
    command: { type: 'NoteUnplacedReceipt', facts },
    caller: systemCaller(shop.random),
  })
}

import type { Caller } from '../log/event-log.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { nowText, type CommandContext } from '../shop/command-context.ts'

/** Applies the difference between the stock that staff saw and what they typed, so that sales in between stay counted. */
export async function setStock(
  context: CommandContext,
  caller: Caller,
  request: { stockM: number; seenM: number | undefined; editKey: string | null; adminId: string },
): Promise<{ position: Position }> {
  const { stockM, seenM, editKey, adminId } = request
  const differenceM = stockM - (seenM ?? context.hot.inventory.state.freeM)
  const command = { type: 'AdjustStock', differenceM, editKey, adminId, at: nowText(context) } as const
  return context.hot.changeStock(command, caller)
}

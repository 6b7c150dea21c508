import { order as orderDecider } from '../domain/order/order.ts'
import { fateOf } from '../domain/order/order-state.ts'
import { orderStream } from '../domain/stream-names.ts'
import type { Caller } from '../log/event-log.ts'
import { handleAt } from '../shop/handle-command.ts'
import { readOrder } from '../shop/handle-order.ts'
import { callerFor, nowText, type CommandContext } from '../shop/command-context.ts'

/** Attempts to append a fence. */
const FENCES_MAX = 5

/** Ends one reservation as its order's stream decides. If its claim may still be appended, a fence takes the claim's revision first. */
export async function endReservation(
  context: CommandContext,
  caller: Caller,
  reservation: { orderId: string; claimAt: number; serial: number },
): Promise<void> {
  const { orderId, claimAt, serial } = reservation
  const stream = orderStream(orderId)
  for (let turn = 0; turn < FENCES_MAX; turn += 1) {
    const read = await readOrder(context, orderId)
    const fate = fateOf(read.state, reservation)
    const at = nowText(context)
    if (fate === 'stay') return
    if (fate !== 'fence') {
      const type = fate === 'commit' ? 'CommitStock' : 'ReleaseStock'
      await context.hot.changeStock({ type, serial, at }, callerFor(caller, 'end'))
      return
    }
    const command = { type: 'AbandonOrder', orderId, claimAt, serial, at } as const
    await handleAt(context, orderDecider, { stream, command, caller: callerFor(caller, `fence-${turn}`), at: read })
  }
}

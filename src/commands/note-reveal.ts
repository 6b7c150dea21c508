import type { Decider } from '../domain/decider.ts'
import type { ShopLifeEvent } from '../domain/shop/events.ts'
import { SHOP_STREAM } from '../domain/stream-names.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { type CommandWorld, handleCommand } from '../shop/handle-command.ts'
import { type Caller, nowText } from '../shop/command-context.ts'

/** Appends the event to the shop's own stream. */
const noting: Decider<ShopLifeEvent, null, ShopLifeEvent> = {
  initial: null,
  decide: (event) => [event],
  evolve: () => null,
}

/** Records an export of buyers' personal data, before any of it is exported. */
export async function noteReveal(context: CommandWorld, caller: Caller, upTo: Position): Promise<void> {
  const command = { type: 'PersonalDataRevealed', data: { what: 'orders', upTo, at: nowText(context) } } as const
  await handleCommand(context, noting, { stream: SHOP_STREAM, command, caller })
}

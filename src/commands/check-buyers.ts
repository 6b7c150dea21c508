import { order as orderDecider } from '../domain/order/order.ts'
import { orderStream } from '../domain/stream-names.ts'
import { VaultDamaged } from '../engines/vault/vault.ts'
import { readState } from '../shop/handle-command.ts'
import type { CommandContext } from '../shop/command-context.ts'

/** How many of the newest orders are checked: an older vault lacks just these. */
const ORDERS_MAX = 100

/** Throws `VaultDamaged` when the vault lacks buyers of the newest open orders: it is older than the log. Orders that have ended do not stop a start: see known-buyers.ts. */
export async function assertBuyersKnown(context: Pick<CommandContext, 'log' | 'vault' | 'hot'>): Promise<void> {
  const open = [...context.hot.inventory.state.open.values()].toSorted((a, b) => b.serial - a.serial)
  for (const { orderId } of open.slice(0, ORDERS_MAX)) {
    const { state } = await readState(context, orderDecider, orderStream(orderId))
    if (state.kind === 'none') continue
    const { customerId, orderNumber } = state.placed
    if ((await context.vault.keysOf([customerId])).has(customerId)) continue
    throw new VaultDamaged(
      `the vault does not know the buyer of order ${orderNumber}: it is an older copy, or another shop's; stop the shop and put the newest copy of the vault back (docs/operations.md)`,
    )
  }
}

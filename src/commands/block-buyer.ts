import { block as blockDecider } from '../domain/block/block.ts'
import { objectionToCancelling } from '../domain/order/may.ts'
import { hasReceipt, type PlacedOrder } from '../domain/order/order-state.ts'
import { Refusal } from '../domain/refusal.ts'
import { BLOCKED_STREAM } from '../domain/stream-names.ts'
import type { BlockKind, BlockReason } from '../domain/words.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import type { Caller } from '../log/event-log.ts'
import { BLOCKS_MAX, deleteBlock, forgetErased, hashesOf, readBlocks, type Traits, writeBlock } from '../shop/blocks.ts'
import { type CommandContext, nowText, systemCaller } from '../shop/command-context.ts'
import { handleCommand, readState } from '../shop/handle-command.ts'
import { findPlacedOrder, handleOrder } from '../shop/handle-order.ts'
import { providerNamed } from '../shop/providers.ts'
import { openedOrders } from '../shop/read-history.ts'
import { knownPayment } from './capture-payment.ts'
import type { KnownOrders } from './erase-customer.ts'

interface BlockRequest {
  /** Chosen by the caller, so that a repeat is the same block. */
  readonly blockId: string
  readonly orderId: string
  readonly kinds: readonly BlockKind[]
  readonly reason: BlockReason
  readonly remark: string
  readonly adminId: string
  readonly known: Pick<KnownOrders, 'orderIdsOf'>
}

/**
 * Blocks the buyer of an order: ends the customer's open orders without money, and holds back those with money. Throws `block/exists` if another
 * block has the same e-mail, name or payer. A repeat continues where a crash stopped.
 */
export async function blockBuyer(
  context: CommandContext,
  caller: Caller,
  { blockId, orderId, kinds, reason, remark, adminId, known }: BlockRequest,
): Promise<{ ended: number; position: Position }> {
  const { log, vault } = context
  const { state: order } = await findPlacedOrder(context, orderId)
  const { customerId } = order.placed
  const hashes = hashesOf(context, await traitsOf(context, order, kinds))
  if ((await readBlocks(context)).length >= BLOCKS_MAX)
    throw new Refusal('block/too-many', `There are ${BLOCKS_MAX} blocks already. Unblock somebody in the settings.`)
  const block = { reason, blockedAt: nowText(context), hashes, met: 0, of: { customerId, orderId, remark } }
  if (!(await writeBlock(context, blockId, block)))
    throw new Refusal('block/exists', 'This buyer is blocked already. Look at the blocked buyers in the settings.')
  // An erasure that ended before the row was written has not seen it.
  if ((await vault.keysOf([customerId])).get(customerId) === 'erased')
    await forgetErased(context, (id) => id === customerId)
  const command = { type: 'BlockBuyer', block: { blockId, reason, adminId, at: nowText(context) } } as const
  let { position } = await handleCommand(context, blockDecider, { stream: BLOCKED_STREAM, command, caller })
  let ended = 0
  for (const id of await known.orderIdsOf(customerId, await log.head())) {
    const { state } = await findPlacedOrder(context, id)
    const type = objectionToCancelling(state) === undefined ? 'CancelOrder' : 'NoteBlock'
    // A caller of its own: the log must not lead from the block to these orders.
    const own = { ...systemCaller(context.random), actor: caller.actor }
    const handled = await handleOrder(context, own, { orderId: id, command: { type } })
    if (type === 'CancelOrder') ended += handled.events.length
    if (handled.position > position) ({ position } = handled)
  }
  return { ended, position }
}

/** Ends a block; `adminId` is null if its time is over. */
export async function unblockBuyer(
  context: CommandContext,
  caller: Caller,
  { blockId, adminId }: { blockId: string; adminId: string | null },
): Promise<Position> {
  const command = { type: 'UnblockBuyer', end: { blockId, adminId, at: nowText(context) } } as const
  const { position } = await handleCommand(context, blockDecider, { stream: BLOCKED_STREAM, command, caller })
  await deleteBlock(context, blockId)
  return position
}

/** A vault restored from an older copy has blocks that ended since: deletes them again, and returns how many. */
export async function deleteEndedBlocks(context: Pick<CommandContext, 'log' | 'vault'>): Promise<number> {
  const { state } = await readState(context, blockDecider, BLOCKED_STREAM)
  const ended = (await readBlocks(context)).filter(({ id }) => state.get(id) === 'ended')
  for (const { id } of ended) await deleteBlock(context, id)
  return ended.length
}

async function traitsOf(context: CommandContext, order: PlacedOrder, kinds: readonly BlockKind[]): Promise<Traits> {
  const [read] = await openedOrders(context, [order])
  const buyer = read?.opened.buyer ?? 'unreadable'
  if (typeof buyer === 'string' && kinds.some((kind) => kind !== 'payer'))
    throw new Refusal(
      'order/buyer-unreadable',
      'This buyer was erased or cannot be read. Only the payer can be blocked.',
    )
  const { customerEmail: email, discordUsername: name } = typeof buyer === 'string' ? {} : buyer
  const payer = kinds.includes('payer') ? await payerOf(context, order) : undefined
  const traits: Traits = { email, name, payer }
  return Object.fromEntries(kinds.map((kind) => [kind, traits[kind]]))
}

/** The shop stores nothing of a payer, so the provider is asked. */
async function payerOf(context: CommandContext, order: PlacedOrder): Promise<string> {
  const attempt = order.attempts.findLast((one) => one.method === 'paypal' && hasReceipt(one))
  const payment = attempt && knownPayment(order, attempt)
  const report = payment && (await providerNamed(context, attempt.provider)?.check(payment))
  if (report?.payerId !== undefined) return report.payerId
  throw new Refusal('block/payer-unknown', 'PayPal does not name the payer of this order. Untick the PayPal account.')
}

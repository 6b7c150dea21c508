import type { OrderEvent } from '../domain/order/events.ts'
import { fateOf, type OrderState, type PlacedOrder } from '../domain/order/order-state.ts'
import { order as orderDecider } from '../domain/order/order.ts'
import { noSuchOrder } from '../domain/order/may.ts'
import type { OrderCommand, PlacedOrderCommand } from '../domain/order/commands.ts'
import { Refusal } from '../domain/refusal.ts'
import { orderStream } from '../domain/stream-names.ts'
import { type Caller, lastPosition } from '../log/event-log.ts'
import { AppendConflict, NO_EVENTS, type Position, START } from '../engines/event-store/event-store.ts'
import { type Folded, type Handled, handleCommand } from './handle-command.ts'
import { callerFor, nowText, type CommandContext } from './command-context.ts'

export async function readOrder({ hot }: Pick<CommandContext, 'hot'>, orderId: string): Promise<Folded<OrderState>> {
  const { order, events } = await hot.orders.read(orderId)
  return { state: order, revision: events.length + NO_EVENTS, position: lastPosition(events) }
}

/** The order, deleted or not; refuses if there is none. */
export async function findPlacedOrder(
  context: Pick<CommandContext, 'hot'>,
  orderId: string,
): Promise<Folded<PlacedOrder>> {
  const folded = await readOrder(context, orderId)
  return { ...folded, state: placed(folded.state) }
}

export type HandledOrder = Handled<PlacedOrder, OrderEvent>

/** A command without the fields that all share: the time and the delivery mode. */
export type OrderWish<Command = PlacedOrderCommand> = Command extends { at: string }
  ? Omit<Command, 'at' | 'deliveryMode'> & { readonly at?: string }
  : never

/**
 * Sends one command to one order, then ends the reservations that it no longer holds. `at`: the order as it was just read, which saves a read.
 * `asSeen`: the revision at which a person saw the order; refused if anything was added since.
 */
export async function handleOrder(
  context: CommandContext,
  caller: Caller,
  request: {
    orderId: string
    command: OrderWish
    at?: Folded<PlacedOrder> | undefined
    atRevision?: number
    asSeen?: number
  },
): Promise<HandledOrder> {
  const { orderId, command, at, asSeen, atRevision = asSeen } = request
  try {
    const handled = await handleCommand(context, orderDecider, {
      stream: orderStream(orderId),
      at,
      read: async () => readOrder(context, orderId),
      command: { at: nowText(context), deliveryMode: context.config.DELIVERY, ...command } as OrderCommand,
      caller,
      ...(atRevision !== undefined && { atRevision }),
    })
    context.hot.orders.add(orderId, handled, caller)
    const order = placed(handled.state)
    const position = await endReservations(context, order, caller)
    return { ...handled, state: order, position: position > handled.position ? position : handled.position }
  } catch (error) {
    if (asSeen === undefined || !(error instanceof AppendConflict)) throw error
    throw new Refusal('order/changed', 'Something happened to this order since you looked at it. Look again.')
  }
}

/**
 * Ends every open reservation that this order no longer holds. The order's events are appended already, so a failure here is not thrown:
 * `end-abandoned-reservations` finds what is left.
 */
async function endReservations(context: CommandContext, order: PlacedOrder, caller: Caller): Promise<Position> {
  let reached = START
  for (const claim of order.claims) {
    if (!context.hot.inventory.state.open.get(claim.serial)) continue
    const fate = fateOf(order, claim)
    if (fate !== 'commit' && fate !== 'release') continue
    const type = fate === 'commit' ? 'CommitStock' : 'ReleaseStock'
    const { serial } = claim
    try {
      const step = callerFor(caller, `end-${serial}`)
      const { position } = await context.hot.changeStock({ type, serial, at: nowText(context) }, step)
      if (position > reached) reached = position
    } catch {
      return reached
    }
  }
  return reached
}

function placed(order: OrderState): PlacedOrder {
  if (order.kind === 'none') throw new Refusal(...noSuchOrder)
  return order
}

import type { Decider } from '../decider.ts'
import { Refusal } from '../refusal.ts'
import type { Decisions, OrderCommand, PlacedOrderCommand } from './commands.ts'
import { lifeDecisions } from './decide-life.ts'
import { paymentDecisions } from './decide-payment.ts'
import { refundDecisions } from './decide-refund.ts'
import type { OrderEvent } from './events.ts'
import { evolve } from './evolve.ts'
import { noSuchOrder } from './may.ts'
import { noOrder, type OrderState, type PlacedOrder } from './order-state.ts'

function decide(command: OrderCommand, order: OrderState): OrderEvent[] {
  if (command.type === 'PlaceOrder') {
    if (order.kind === 'none') return [{ type: 'OrderPlaced', data: command.placed }]
    if (order.placed.requestHash === command.placed.requestHash) return []
    throw new Refusal('order/key-reused', 'This Idempotency-Key belongs to another order.')
  }
  if (command.type === 'AbandonOrder') {
    const { orderId, claimAt, serial, at } = command
    return order.next > claimAt ? [] : [{ type: 'OrderAbandoned', data: { orderId, serial, at } }]
  }
  if (order.kind === 'none') throw new Refusal(...noSuchOrder)
  return decidePlaced(command, order)
}

const decisions: Decisions = { ...paymentDecisions, ...refundDecisions, ...lifeDecisions }

function decidePlaced<Type extends keyof Decisions>(
  command: PlacedOrderCommand<Type>,
  order: PlacedOrder,
): OrderEvent[] {
  return decisions[command.type](order, command)
}

export const order: Decider<OrderCommand, OrderState, OrderEvent> = { initial: noOrder, decide, evolve }

import type { Caller, Shop } from '../../shop/shop.ts'
import type { DecidedEvent } from '../../event-store/event-log.ts'
import type { Decided } from './order-life.ts'

interface Append {
  readonly stream: string
  readonly expectedRevision: number
  readonly events: DecidedEvent[]
}

/**
 * What is to be written of orders and their receipts. What belongs to one order is written together, in its own order: the pages of a large log's index
 * that it lies on are then written once.
 */
export class OrderWriter {
  private readonly log: Shop['log']
  private readonly orders = new Map<string, Append[]>()

  constructor({ log }: Pick<Shop, 'log'>) {
    this.log = log
  }

  add(orderId: string, { stream, expectedRevision, events, actor }: Decided, caller: Caller): void {
    const own = events.map((event) => ({ event, caller: { ...caller, actor } }))
    const appends = this.orders.get(orderId) ?? []
    this.orders.set(orderId, appends)
    const last = appends.at(-1)
    if (last?.stream === stream) last.events.push(...own)
    else appends.push({ stream, expectedRevision, events: own })
  }

  written(): Promise<unknown>[] {
    const appends = [...this.orders.values()].flat()
    this.orders.clear()
    return appends.map(async ({ stream, expectedRevision, events }) =>
      this.log.append(stream, expectedRevision, events),
    )
  }
}

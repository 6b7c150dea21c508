import { parseConfig } from '../config.ts'
import { openShopEngines } from '../process/shop-engines.ts'
import { shapeOf } from '../projections/shape.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import { allEvents, auditBooks } from './audit-books.ts'
import { auditViews } from './audit-views.ts'

interface ShopAudit {
  /** Number of events in the log. */
  readonly events: number
  readonly orders: ReadonlyMap<string, PlacedOrder>
  /** One sentence per problem. */
  readonly problems: readonly string[]
}

/** Audits the engines of a shop while its processes run: do the books balance, and `atRest`, is no work open and do the views match the log? */
export async function auditShop(
  env: Readonly<Record<string, string>>,
  { atRest = true, acknowledged = [] }: { atRest?: boolean; acknowledged?: readonly string[] } = {},
): Promise<ShopAudit> {
  const config = parseConfig(env)
  const engines = await openShopEngines(config)
  try {
    const events = await allEvents(engines.log)
    const { orders, problems: wrong } = auditBooks(events, { atRest })
    const lost = acknowledged.filter((orderId) => !orders.has(orderId))
    const problems = [...wrong, ...lost.map((orderId) => `order ${orderId} was acknowledged and is not in the log`)]
    if (!atRest) return { events: events.length, orders, problems }
    const timeZone = config.SHOP_TIME_ZONE
    const [projections, shape] = [shopProjections({ timeZone }), shapeOf({ timeZone })]
    const views = { store: engines.views, shape, projections, log: engines.log, now: Date.now }
    const viewProblems = await auditViews(views, events).catch((error: unknown) => [String(error)])
    return { events: events.length, orders, problems: [...problems, ...viewProblems] }
  } finally {
    await engines.close()
  }
}

import { expect, it } from 'vitest'
import { completed, placed } from '../domain/testing/order-samples.ts'
import { type Analytics, analyticsProjection, readAnalytics } from '../projections/analytics.ts'
import { shopLog } from '../projections/testing/shop-log.ts'
import { calls, type Walker, walker, walkToEnd } from './testing/walker.ts'
import { wipedAtAnyTime } from './testing/wiped-views.ts'
import { viewReader } from '../projector/view-reader.ts'

const projections = [analyticsProjection({ timeZone: 'Asia/Kolkata' })]
/** More calls than a page, or the beginning of a build and its first page, consist of. */
const CALLS_OF_A_PAGE = 8
const CALLS_OF_A_BUILD = 40

type Walk = (walker: Walker) => Promise<unknown>

/** Two customers, one behind the other; while the second is folded all is wiped, another projector begins anew, and the first one dies after it has gone on. */
async function analyticsAfter(walks: { untilWiped: Walk; begin: Walk; goOn: Walk }): Promise<Analytics> {
  const shop = shopLog()
  const { store, wipe } = wipedAtAnyTime(projections)
  const begun = (): Walker => walker({ log: shop.log, store, projections, pageSize: 2, documentsTogether: 1 })
  const [dying, living] = [begun(), begun()]
  await shop.record(placed({ orderId: 'a', customerId: 'anna' }), completed({ orderId: 'a', customerId: 'anna' }))
  await walkToEnd(dying)
  await shop.record(placed({ orderId: 'o', customerId: 'otto' }), completed({ orderId: 'o', customerId: 'otto' }))
  await walks.untilWiped(dying)
  await wipe()
  await walks.begin(living)
  await walks.goOn(dying)
  await walkToEnd(living)
  return readAnalytics(viewReader({ store, projections, now: () => 0 }))
}

const clean = { orders: 2, customers: 2, revenueCents: 2_000, months: [{ completedOrders: 2 }] }

it('holds nothing of what a projector wrote after a wipe, wherever it was wiped, died, and another one stood', async () => {
  for (let wiped = 0; wiped < CALLS_OF_A_PAGE; wiped += 1)
    for (let died = 0; died < CALLS_OF_A_PAGE; died += 1)
      for (let begun = 0; begun < CALLS_OF_A_BUILD; begun += 1) {
        const walks = { untilWiped: calls(wiped), begin: calls(begun), goOn: calls(died) }
        expect({ wiped, died, begun, ...(await analyticsAfter(walks)) }).toMatchObject({ wiped, died, begun, ...clean })
      }
})

import { expect, it } from 'vitest'
import { placed } from '../domain/testing/order-samples.ts'
import { knownOrders } from './known-orders.ts'
import { ordersProjection } from './orders.ts'
import { reservationsProjection } from './reservations.ts'
import { projectionRunner } from '../projector/runner.ts'
import { samples } from './testing/samples.ts'
import { shopLog } from './testing/shop-log.ts'
import { entryOf } from '../projector/registry.ts'
import { viewReader } from '../projector/view-reader.ts'
import { temporaryViewStore } from '../engines/view-store/sqlite-view-store.ts'
import { ViewBehind } from './shop-views.ts'

const projections = [ordersProjection, reservationsProjection]
const { customerId } = placed().data

async function shopThatIsWiped() {
  const shop = shopLog()
  const store = temporaryViewStore()
  const shape = 'shape'
  const clock = { now: () => 0, sleep: async () => undefined }
  const runner = projectionRunner({ log: shop.log, logId: 'log', store, shape, projections, clock })
  const { StockReserved } = samples
  await shop.record(placed(), { ...StockReserved, data: { ...StockReserved.data, orderId: 'not-placed' } })
  while (await runner.runOnce());
  const known = knownOrders(viewReader({ store, shape, projections, now: clock.now, runner }))
  const wipe = async () => store.drop((await entryOf(store, shape)).serving ?? '')
  return { known, wipe, head: await shop.log.head() }
}

it('the orders of a customer and the unclaimed reservations are known', async () => {
  const { known, head } = await shopThatIsWiped()
  expect(await known.orderIdsOf(customerId, head)).toEqual([placed().data.orderId])
  expect(await known.unclaimedReservations(head)).toHaveLength(1)
})

it('wiped views are not taken for a customer without orders', async () => {
  const { known, wipe, head } = await shopThatIsWiped()
  await known.orderIdsOf(customerId, head)
  await known.unclaimedReservations(head)
  await wipe()
  await expect(known.orderIdsOf(customerId, head)).rejects.toThrow(ViewBehind)
  await expect(known.unclaimedReservations(head)).rejects.toThrow(ViewBehind)
})

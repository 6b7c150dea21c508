import { expect, it } from 'vitest'
import { completed, expired, orderId, placed } from '../domain/testing/order-samples.ts'
import { knownOrders, reservationFates } from './known-orders.ts'
import { ordersProjection } from './orders.ts'
import { projectionRunner } from '../projector/runner.ts'
import { shopLog } from './testing/shop-log.ts'
import { of, viewsAfter } from '../projector/testing/views-after.ts'
import { entryOf } from '../projector/registry.ts'
import { viewReader } from '../projector/view-reader.ts'
import { temporaryViewStore } from '../engines/view-store/sqlite-view-store.ts'
import { ViewBehind } from './shop-views.ts'

const projections = [ordersProjection]
const { customerId } = placed().data

async function shopThatIsWiped() {
  const shop = shopLog()
  const store = temporaryViewStore()
  const shape = 'shape'
  const clock = { now: () => 0, sleep: async () => undefined }
  const runner = projectionRunner({ log: shop.log, logId: 'log', store, shape, projections, clock })
  await shop.record(placed())
  while (await runner.runOnce());
  const known = knownOrders(viewReader({ store, shape, projections, now: clock.now, runner }))
  const wipe = async () => store.drop((await entryOf(store, shape)).serving ?? '')
  return { known, wipe, head: await shop.log.head() }
}

const claimed = { orderId, claimAt: 0, serial: 7, quantityM: 200, at: placed().data.at }

it('the orders of a customer and the unclaimed reservations are known', async () => {
  const { known, head } = await shopThatIsWiped()
  expect(await known.orderIdsOf(customerId, head)).toEqual([orderId])
  const unclaimed = [
    { ...claimed, claimAt: 1 },
    { ...claimed, orderId: 'not-placed' },
  ]
  expect(await known.unclaimed([claimed, ...unclaimed])).toEqual(unclaimed)
})

it('wiped views are not taken for a customer without orders', async () => {
  const { known, wipe, head } = await shopThatIsWiped()
  await known.orderIdsOf(customerId, head)
  await wipe()
  await expect(known.orderIdsOf(customerId, head)).rejects.toThrow(ViewBehind)
  await expect(known.unclaimed([claimed])).rejects.toThrow(ViewBehind)
})

it("an order's document says what becomes of its reservation", async () => {
  const views = await viewsAfter(
    ...of('open', placed()),
    ...of('completed', placed(), completed()),
    ...of('expired', placed(), expired()),
  )
  const fates = await reservationFates(
    views,
    ['open', 'completed', 'expired', 'not-placed'].map((id) => ({ ...claimed, orderId: id })),
  )
  expect(fates.map(({ fate }) => fate)).toEqual(['stay', 'commit', 'release', 'fence'])
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Fate } from '../engines/testing/interposed.ts'
import { orderRequest, STOCK, testShop } from '../testing/test-shop.ts'
import { expireOrder } from './order-verbs.ts'
import { placeOrder } from './place-order.ts'

const QUANTITY_M = 100
const request = orderRequest({ idempotencyKey: 'key-1', quantityM: QUANTITY_M })

const races = fc.record({
  scheduler: fc.scheduler(),
  /** What has become of the order before the two requests. */
  before: fc.constantFrom('none', 'placed', 'expired'),
  inTwoProcesses: fc.boolean(),
  isSoldOut: fc.boolean(),
  isDearer: fc.boolean(),
})

it('two equal requests place one order, in any interleaving of their calls, and both get it', async () => {
  await fc.assert(
    fc.asyncProperty(races, async ({ scheduler, before, inTwoProcesses, isSoldOut, isDearer }) => {
      let isRacing = false
      const inTurn: Fate = async (make) => {
        if (isRacing) await scheduler.schedule(Promise.resolve())
        return make()
      }
      const test = await testShop({ fates: { log: inTurn, vault: inTurn } })
      const other = inTwoProcesses ? await test.anotherProcess() : test.context
      if (before !== 'none') await test.ask(placeOrder, request)
      const orderId = test.context.keys.orderIdFor('key-1')
      if (before === 'expired') {
        test.pass(61)
        await test.ask(expireOrder, { orderId })
        await test.sweep()
      }
      const isHeld = before !== 'expired'
      if (isSoldOut) await test.setStock(before === 'none' ? QUANTITY_M : 0)
      const isRefusedToOthers = before !== 'none' && isDearer
      if (isRefusedToOthers) await test.change({ basePriceCents: 90 })

      isRacing = true
      const both = Promise.all([
        placeOrder(test.context, test.caller(), request),
        placeOrder(other, test.caller(), request),
      ])
      const answers = await scheduler.waitFor(both)
      isRacing = false

      expect(new Set(answers.map(({ order }) => order.placed.orderId))).toEqual(new Set([orderId]))
      expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(before === 'none' ? 1 : 0)
      expect((await test.typesOf(orderId)).filter((type) => type === 'OrderPlaced')).toHaveLength(1)
      const { open, freeM } = (await test.anotherProcess()).hot.inventory.state
      expect([...open.values()].map(({ serial }) => serial)).toEqual(isHeld ? [answers[0].order.placed.serial] : [])
      expect(freeM).toBe(isSoldOut ? 0 : isHeld ? 1_000 - QUANTITY_M : 1_000)
      expect((await test.typesOf(STOCK)).filter((type) => type === 'StockCommitted')).toEqual([])
    }),
    { numRuns: 300 },
  )
})

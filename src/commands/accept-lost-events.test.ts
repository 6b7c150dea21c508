import { expect, it } from 'vitest'
import { SERIAL_MAX } from '../domain/order-number.ts'
import { acceptLostEvents } from './accept-lost-events.ts'
import { type TestShop, testShop } from '../testing/test-shop.ts'

const DAY_MINUTES = 1_440
/** From docs/benchmarks.md. */
const ORDERS_PER_SECOND = 3_388

async function accept({ context, caller }: TestShop): Promise<number> {
  const head = await context.log.head()
  const before = context.hot.inventory.state.lastSerial
  await acceptLostEvents(context, caller(), { knownHead: head, head })
  return context.hot.inventory.state.lastSerial - before
}

it('accepting lost events skips as many order numbers as can have been given since', async () => {
  const test = await testShop()
  await test.placed()
  expect(await accept(test)).toBe(10_000)
  await test.placed()
  test.pass(DAY_MINUTES)
  expect(await accept(test)).toBeGreaterThan(ORDERS_PER_SECOND * DAY_MINUTES * 60)
  expect((await test.placed()).placed.orderNumber).toMatch(/^[0-9A-Z]{8}$/)
})

it('accepting lost events leaves numbers to give, however old the copy is and whatever the clock says', async () => {
  const test = await testShop()
  await test.placed()
  test.pass(100 * 365 * DAY_MINUTES)
  expect(await accept(test)).toBeLessThan(SERIAL_MAX / 90)
  test.pass(-200 * 365 * DAY_MINUTES)
  expect(await accept(test)).toBe(10_000)
})

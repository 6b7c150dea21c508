import { beforeEach, expect, it } from 'vitest'
import { reservationFor } from '../domain/inventory/inventory.ts'
import { AppendAmbiguous } from '../engines/event-store/event-store.ts'
import { TRIES_MAX } from './handle-command.ts'
import { ShopBusy } from './shop-busy.ts'
import type { CommandContext } from './command-context.ts'
import { after, away, beaten, lostAnswer, notWritten } from '../engines/testing/interposed.ts'
import { STOCK, testShop, type TestShop } from '../testing/test-shop.ts'

const at = '2026-01-01T00:00:00.000Z'
const openMax = 20_000

async function reserve({ caller }: TestShop, context: CommandContext, orderId: string, quantityM = 100) {
  return context.hot.changeStock(
    { type: 'ReserveStock', orderId, claimAt: 0, quantityM, outdatedSerials: [], openMax, coins: 'Pokecoins', at },
    caller(),
  )
}

async function codesOf(answers: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(answers)
  return settled.map((one) =>
    one.status === 'fulfilled' ? 'reserved' : ((one.reason as { code?: string; name: string }).code ?? one.reason.name),
  )
}

let test: TestShop
beforeEach(async () => {
  test = await testShop()
})

it('ten units are sold to exactly ten of three hundred concurrent buyers', async () => {
  const codes = await codesOf(Array.from({ length: 300 }, (_, index) => reserve(test, test.context, `order-${index}`)))
  expect(codes.filter((code) => code === 'reserved')).toHaveLength(10)
  expect(codes.filter((code) => code === 'inventory/insufficient-stock')).toHaveLength(290)
  expect((await test.typesOf(STOCK)).filter((type) => type === 'StockReserved')).toHaveLength(10)
})

it('waiting commands share few appends', async () => {
  const before = test.store.countOf('append', STOCK)
  await Promise.all(Array.from({ length: 200 }, (_, index) => reserve(test, test.context, `order-${index}`, 1)))
  expect(test.store.countOf('append', STOCK) - before).toBe(1)
})

it('each command gets its own serial and state', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => reserve(test, test.context, `order-${index}`, 1)),
  )
  const serials = answers.map(
    ({ state }, index) => reservationFor(state, { orderId: `order-${index}`, claimAt: 0 })?.serial,
  )
  expect(serials).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(answers.map(({ state }) => state.freeM)).toEqual(Array.from({ length: 20 }, (_, index) => 999 - index))
})

it('no order is refused for coins whose sale never reached the log', async () => {
  test.store.failNext(STOCK, away)
  const codes = await codesOf([
    reserve(test, test.context, 'order-1', 1000),
    reserve(test, test.context, 'order-2', 1000),
  ])
  expect(codes).toEqual(['event-store-away', 'event-store-away'])
  await reserve(test, test.context, 'order-2', 1000)
  expect(await test.typesOf(STOCK)).toEqual(['StockSet', 'StockReserved'])
})

it('an order is refused only after reading what other processes released', async () => {
  const other = await test.anotherProcess()
  await reserve(test, test.context, 'order-1', 1000)
  await other.hot.inventory.refresh()
  await test.context.hot.changeStock({ type: 'ReleaseStock', serial: 1, at }, test.caller())
  await expect(reserve(test, other, 'order-2', 1000)).resolves.toMatchObject({ events: [{ type: 'StockReserved' }] })
})

it('a reservation that another process has just made can be ended', async () => {
  const other = await test.anotherProcess()
  await reserve(test, test.context, 'order-1')
  await other.hot.changeStock({ type: 'ReleaseStock', serial: 1, at }, test.caller())
  expect(await test.typesOf(STOCK)).toEqual(['StockSet', 'StockReserved', 'StockReleased'])
})

it('a command is decided again after another process was faster', async () => {
  const other = await test.anotherProcess()
  test.store.failNext(
    STOCK,
    after(async () => reserve(test, other, 'order-1', 600)),
  )
  await expect(reserve(test, test.context, 'order-2', 600)).rejects.toMatchObject({
    code: 'inventory/insufficient-stock',
    details: { currentStock: 400 },
  })
  expect(await test.typesOf(STOCK)).toEqual(['StockSet', 'StockReserved'])
})

it('after an append with an unknown outcome the state is read again', async () => {
  for (let repeat = 0; repeat < 5; repeat += 1) test.store.failNext(STOCK, notWritten)
  test.store.failNext(STOCK, lostAnswer)
  await expect(reserve(test, test.context, 'order-1', 600)).rejects.toBeInstanceOf(AppendAmbiguous)
  await expect(reserve(test, test.context, 'order-2', 600)).rejects.toMatchObject({
    code: 'inventory/insufficient-stock',
  })
  // A repeated request for the same claim finds what was reserved.
  const again = await reserve(test, test.context, 'order-1', 600)
  expect(again.events).toEqual([])
  expect(await test.typesOf(STOCK)).toEqual(['StockSet', 'StockReserved'])
})

it('ten lost races ask for a retry, and write nothing', async () => {
  for (let race = 0; race < TRIES_MAX; race += 1) test.store.failNext(STOCK, beaten)
  await expect(reserve(test, test.context, 'order-1')).rejects.toBeInstanceOf(ShopBusy)
  expect(await test.typesOf(STOCK)).toEqual(['StockSet'])
})

it('a command beyond the waiting limit is rejected', async () => {
  const { promise: isFree, resolve: free } = Promise.withResolvers<undefined>()
  const { promise: isWriting, resolve: begins } = Promise.withResolvers<undefined>()
  test.store.failNext(STOCK, async (append) => {
    begins(undefined)
    await isFree
    return append()
  })
  const first = reserve(test, test.context, 'order-1')
  await isWriting
  const submit = async () => test.context.hot.changeStock({ type: 'ReleaseStock', serial: 99, at }, test.caller())
  const waiting = Array.from({ length: 20_000 }, submit)
  await expect(submit()).rejects.toBeInstanceOf(ShopBusy)
  free(undefined)
  await expect(first).resolves.toMatchObject({ events: [{ type: 'StockReserved' }] })
  await expect(Promise.all(waiting)).resolves.toHaveLength(20_000)
})

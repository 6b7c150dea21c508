import { afterEach, expect, it } from 'vitest'
import type { StoredEvent } from '../../engines/event-store/event-store.ts'
import { cancelOrder } from '../../commands/order-verbs.ts'
import type { CommandContext } from '../command-context.ts'
import { testShop } from '../../testing/test-shop.ts'
import { type Follower, logFollower } from './follower.ts'
import { SETTINGS_STREAM } from '../../domain/stream-names.ts'
import { hotStates } from './hot-states.ts'

const WAIT_MS = 10_000
const followers: Follower[] = []
afterEach(async () => {
  for (const follower of followers.splice(0)) await follower.stop()
})

async function following(
  { context }: { context: CommandContext },
  onEvents: (events: readonly StoredEvent[]) => void = () => undefined,
) {
  const troubles: unknown[] = []
  const onTrouble = (error: unknown): number => troubles.push(error)
  const { log, hot } = context
  // A breath between two tries, so that the test's own work gets its turn.
  const clock = { now: () => 0, sleep: async () => new Promise<void>((resolve) => setImmediate(resolve)) }
  const follower = logFollower({ log, hot, clock, onEvents, onTrouble })
  followers.push(follower)
  await follower.start()
  return { follower, troubles }
}

it('the follower brings events of other processes into the hot states', async () => {
  const test = await testShop()
  const other = await test.anotherProcess()
  const { follower } = await following({ context: other })
  const { position } = await test.change({ basePriceCents: 7 })
  const { placed } = await test.placed({ totalCents: 595 })
  await test.ask(cancelOrder, placed)
  expect(await follower.waitFor(await test.context.log.head(), WAIT_MS)).toBe(true)
  expect(follower.position() >= position).toBe(true)
  expect(other.hot.currentSettings().basePriceCents).toBe(7)
  expect(other.hot.inventory.state).toMatchObject({ freeM: 1000, lastSerial: 1 })
})

it('the follower reports every event once, in order, after the hot states have it', async () => {
  const test = await testShop()
  const seen: string[] = []
  const prices: number[] = []
  const { follower } = await following(test, (events) => {
    seen.push(...events.map(({ position }) => position))
    prices.push(test.context.hot.currentSettings().basePriceCents)
  })
  await test.change({ basePriceCents: 7 })
  await test.placed({ totalCents: 595 })
  await follower.waitFor(await test.context.log.head(), WAIT_MS)
  const { log } = test.context
  const all = (await log.readAllStored({ after: '', limit: 100 })).map(({ position }) => position)
  expect(seen).toEqual(all.slice(-3))
  expect(prices[0]).toBe(7)
})

it('the follower loses no change that comes while the hot states are loaded', async () => {
  const test = await testShop()
  await test.change({ basePriceCents: 6 })
  const { log, clock, random } = test.context
  const late = { ...test.context, hot: hotStates({ log, clock, random }) }
  const { promise: isOver, resolve: over } = Promise.withResolvers<undefined>()
  const { promise: hasRead, resolve: read } = Promise.withResolvers<undefined>()
  const { follower } = await following({ context: late })
  test.store.afterNextRead(SETTINGS_STREAM, async () => {
    read(undefined)
    await isOver
  })
  const loading = late.hot.load()
  await hasRead
  // The read's events are not folded yet; the follower passes this one.
  await test.change({ basePriceCents: 7 })
  await follower.waitFor(await log.head(), WAIT_MS)
  over(undefined)
  await loading
  expect(late.hot.currentSettings().basePriceCents).toBe(7)
})

it('the follower stops at once while the log is away, though its next attempt is due later', async () => {
  const test = await testShop()
  const { hot } = test.context
  const log = {
    ...test.context.log,
    readAllStored: async () => {
      throw new Error('away')
    },
  }
  const clock = { now: () => 0, sleep: async () => new Promise<void>(() => undefined) }
  const away = Promise.withResolvers<unknown>()
  const follower = logFollower({ log, hot, clock, onEvents: () => undefined, onTrouble: away.resolve })
  await follower.start()
  expect(await away.promise).toMatchObject({ message: 'away' })
  await follower.stop()
})

it('the follower reads the log once for a change', async () => {
  const test = await testShop()
  const { log } = test.context
  let reads = 0
  const readAllStored: typeof log.readAllStored = async (page) => {
    reads += 1
    return log.readAllStored(page)
  }
  const { follower } = await following({ context: { ...test.context, log: { ...log, readAllStored } } })
  await expect.poll(() => reads, { timeout: WAIT_MS }).toBe(1)
  await follower.waitFor((await test.change({ basePriceCents: 7 })).position, WAIT_MS)
  await new Promise((resolve) => setImmediate(resolve))
  expect(reads).toBe(2)
})

it.for(['stock', 'another stream'])(
  'the follower goes on after a damaged event of %s, and reports it once',
  async (of) => {
    const test = await testShop()
    const { store } = test
    const damaged = of === 'stock' ? 'stock-main' : 'order-1'
    const log = {
      ...test.context.log,
      async readAllStored(page: Parameters<typeof test.context.log.readAllStored>[0]) {
        const events = await test.context.log.readAllStored(page)
        return events.map((event) => (event.type === 'OpenedLate' ? { ...event, damage: 'was deleted' } : event))
      },
    }
    const seen: string[] = []
    const follower = logFollower({
      log,
      hot: test.context.hot,
      clock: test.context.clock,
      onEvents: () => undefined,
      onTrouble: () => seen.push('trouble'),
      onDamaged: ({ stream }) => seen.push(stream),
    })
    followers.push(follower)
    await follower.start()
    const { revision } = test.context.hot.inventory
    const late = { id: test.context.random.uuid(), type: 'OpenedLate', version: 1, data: '{}', metadata: '{}' }
    await store.append(damaged, of === 'stock' ? revision : -1, [late])
    const { position } = await test.change({ basePriceCents: 7 })
    expect(await follower.waitFor(position, WAIT_MS)).toBe(true)
    expect(seen).toEqual([damaged])
    expect(test.context.hot.currentSettings().basePriceCents).toBe(7)
    const stock = (): unknown => test.context.hot.inventory.state
    if (of === 'stock') expect(stock).toThrow(/was deleted/)
    else expect(stock).not.toThrow()
  },
)

it('a wait for a later position times out', async () => {
  const test = await testShop()
  const { follower } = await following(test)
  expect(await follower.waitFor('9'.repeat(20), 1)).toBe(false)
})

it('the follower stops before an event that cannot be read, and reports it', async () => {
  const test = await testShop()
  const other = await test.anotherProcess()
  const { follower, troubles } = await following({ context: other })
  const before = follower.position()
  const { context } = test
  const foreign = { id: context.random.uuid(), type: 'StockTeleported', version: 1, data: '{}', metadata: '{}' }
  await test.store.append('stock-main', 0, [foreign])
  await expect.poll(() => troubles.length, { timeout: WAIT_MS }).toBeGreaterThan(1)
  expect(follower.position()).toBe(before)
  expect(other.hot.inventory.revision).toBe(0)
})

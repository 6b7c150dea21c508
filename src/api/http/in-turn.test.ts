import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ShopBusy } from '../../shop/shop-busy.ts'
import { inTurn } from './in-turn.ts'

it('runs no more tasks at once than it may, in the order in which they came', async () => {
  const run = inTurn({ atOnce: 3, waitMs: 60_000 })
  const order: number[] = []
  let running = 0
  let most = 0
  const results = await Promise.all(
    Array.from({ length: 20 }, async (_, task) =>
      run(async () => {
        order.push(task)
        running += 1
        most = Math.max(most, running)
        await sleep(1)
        running -= 1
        return task
      }),
    ),
  )
  expect(most).toBe(3)
  expect(order).toEqual(Array.from({ length: 20 }, (_, task) => task))
  expect(results).toEqual(order)
})

it('runs the next after one that failed', async () => {
  const run = inTurn({ atOnce: 1, waitMs: 60_000 })
  const failed = run(async () => Promise.reject(new Error('no')))
  const next = run(async () => 'next')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('next')
})

it('does not run a task that waited too long', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const run = inTurn({ atOnce: 1, waitMs: 20 })
  const ran: string[] = []
  const { promise: hasBegun, resolve: begins } = Promise.withResolvers<undefined>()
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<undefined>()
  const first = run(async () => {
    begins(undefined)
    await mayEnd
    ran.push('first')
  })
  const waiting = ['second', 'third'].map(async (name) => run(async () => ran.push(name)))
  await hasBegun
  vi.advanceTimersByTime(21)
  end(undefined)
  for (const late of waiting) await expect(late).rejects.toThrow(ShopBusy)
  await first
  expect(await run(async () => 'later')).toBe('later')
  expect(ran).toEqual(['first'])
})

import { expect, it } from 'vitest'
import { callEach } from './call-each.ts'

it('calls for every one, though others fail, and answers the failures in their order', async () => {
  const fault = new Error('away')
  const progress: number[] = []
  const call = async (id: string) => {
    if (id !== 'a') throw fault
  }
  expect(await callEach(['a', 'b', 'c'], call, (done) => progress.push(done))).toEqual([
    { of: 'b', error: fault },
    { of: 'c', error: fault },
  ])
  expect(progress).toEqual([1, 2, 3])
})

it('has only a few calls under way at once', async () => {
  let [now, most] = [0, 0]
  const call = async () => {
    now += 1
    most = Math.max(most, now)
    await Promise.resolve()
    now -= 1
  }
  await callEach(
    Array.from({ length: 50 }, (_, index) => index),
    call,
    () => undefined,
  )
  expect(most).toBe(4)
})

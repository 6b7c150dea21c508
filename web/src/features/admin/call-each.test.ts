import { expect, it } from 'vitest'
import { callEach } from './call-each.ts'

it('calls for every one, whatever becomes of the others, and answers in their order', async () => {
  const fault = new Error('away')
  const progress: number[] = []
  const call = async (id: string) => {
    if (id === 'b') throw fault
  }
  expect(await callEach(['a', 'b', 'c'], call, (done) => progress.push(done))).toEqual([
    { of: 'a', is: 'done' },
    { of: 'b', is: 'failed', error: fault },
    { of: 'c', is: 'done' },
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

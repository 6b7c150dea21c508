import { expect, it } from 'vitest'
import { leasesOf } from './lease.ts'
import { temporaryViewStore } from '../engines/view-store/sqlite-view-store.ts'

const SHAPE = 'shape'
const TEN_MINUTES_MS = 600_000

function fixture() {
  const { texts } = temporaryViewStore()
  let nowMs = 0
  return {
    pass: (ms: number) => (nowMs += ms),
    /** A process, whose clock has begun at another moment. */
    process: (owner: string) => leasesOf(texts, { owner, now: () => owner.length * 7_919 + nowMs }),
  }
}

it('one process holds a lease while it renews it, and another takes it five seconds after the last renewal', async () => {
  const { pass, process } = fixture()
  const [holder, other] = [process('holder'), process('other')]
  expect(await holder.hold(SHAPE)).toBe(true)
  for (let second = 0; second <= 20; second += 1) {
    expect([await holder.hold(SHAPE), await other.hold(SHAPE)]).toEqual([true, false])
    pass(1_000)
  }
  // The last renewal was a second ago.
  const taken: boolean[] = []
  for (let second = 1; second <= 5; second += 1, pass(1_000)) taken.push(await other.hold(SHAPE))
  expect(taken).toEqual([false, false, false, false, true])
  expect(await holder.hold(SHAPE)).toBe(false)
})

it('of two processes that find a free lease one takes it', async () => {
  const { process } = fixture()
  const both = [process('one'), process('other')]
  expect((await Promise.all(both.map(async (each) => each.hold(SHAPE)))).filter(Boolean)).toHaveLength(1)
})

it('a lease that is given back is free at once, and a restarted thread keeps the lease of its process', async () => {
  const { process } = fixture()
  const [holder, other] = [process('holder'), process('other')]
  await holder.hold(SHAPE)
  await other.giveBack(SHAPE)
  expect(await process('holder').hold(SHAPE)).toBe(true)
  expect(await other.hold(SHAPE)).toBe(false)
  await holder.giveBack(SHAPE)
  expect(await other.hold(SHAPE)).toBe(true)
})

it('each shape has a lease of its own, which counts as abandoned ten minutes after its last change', async () => {
  const { pass, process } = fixture()
  const [older, newer] = [process('older'), process('newer')]
  expect([await older.hold('older'), await newer.hold('newer')]).toEqual([true, true])
  await older.giveBack('older')
  expect(await newer.takeAbandoned('older')).toBe(false)
  pass(TEN_MINUTES_MS - 1_000)
  expect(await newer.takeAbandoned('older')).toBe(false)
  expect(await older.hold('older')).toBe(true)
  pass(1_000)
  expect(await newer.takeAbandoned('older')).toBe(false)
  pass(TEN_MINUTES_MS)
  expect(await newer.takeAbandoned('older')).toBe(true)
  expect(await older.hold('older')).toBe(false)
})

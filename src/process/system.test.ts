import { expect, it, vi } from 'vitest'
import { systemRandom } from './system.ts'

it('random ids sort by time, and have nothing else in common', async () => {
  const early = Array.from({ length: 500 }, () => systemRandom.uuid())
  const madeAt = Date.now()
  await vi.waitUntil(() => Date.now() > madeAt, { interval: 1 })
  const late = Array.from({ length: 500 }, () => systemRandom.uuid())
  expect(late.every((id) => early.every((earlier) => earlier < id))).toBe(true)
  expect(new Set([...early, ...late].map((id) => id.slice(-16))).size).toBe(1_000)
})

it('random bytes never repeat', () => {
  const counts = [...Array.from({ length: 1_000 }, (_, index) => 12 + (index % 30)), 5_000]
  const all = counts.map((count) => systemRandom.bytes(count))
  expect(all.map(({ length }) => length)).toEqual(counts)
  expect(new Set(all.map((bytes) => Buffer.from(bytes.subarray(0, 12)).toString('hex'))).size).toBe(counts.length)
})

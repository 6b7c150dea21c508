import { describe, expect, it, vi } from 'vitest'
import { systemRandom } from './system.ts'

describe("the machine's own randomness", () => {
  it('gives as many bytes as were asked for, none of them twice', () => {
    const counts = Array.from({ length: 2_000 }, (_, index) => 12 + (index % 40))
    const all = [...counts, 4_096, 5_000, 12].map((count) => ({ count, bytes: systemRandom.bytes(count) }))
    for (const { count, bytes } of all) expect(bytes).toHaveLength(count)
    const texts = all.map(({ bytes }) => Buffer.from(bytes).subarray(0, 12).toString('hex'))
    expect(new Set(texts).size).toBe(all.length)
  })

  it('keeps nothing of what it has given', () => {
    const first = systemRandom.bytes(32)
    const copy = [...first]
    systemRandom.bytes(32).fill(0)
    expect([...first]).toEqual(copy)
    expect(first.buffer.byteLength).toBe(32)
  })

  it('makes ids that sort by the time at which they were made, and have nothing else in common', async () => {
    const early = Array.from({ length: 500 }, () => systemRandom.uuid())
    const madeAt = Date.now()
    await vi.waitUntil(() => Date.now() > madeAt, { interval: 1 })
    const late = Array.from({ length: 500 }, () => systemRandom.uuid())
    expect(late.every((id) => early.every((earlier) => earlier < id))).toBe(true)
    expect(new Set([...early, ...late].map((id) => id.slice(-16))).size).toBe(1_000)
  })
})

import { describe, expect, it } from 'vitest'
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
})

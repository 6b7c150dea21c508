import { describe, expect, it } from 'vitest'
import { barLine, progressBar } from './progress-bar.ts'

function drawn({ isTTY, steps }: { isTTY: boolean; steps: readonly (readonly [done: number, atMs: number])[] }) {
  const written: string[] = []
  let nowMs = 0
  const stream = { isTTY, write: (text: string) => written.push(text) }
  const tell = progressBar(stream, { total: 10, unit: 'orders', now: () => nowMs })
  for (const [done, atMs] of steps) {
    nowMs = atMs
    tell(done)
  }
  return written
}

describe('the progress bar', () => {
  it('tells how far it is and how fast', () =>
    expect(barLine({ done: 2_500, total: 10_000, unit: 'orders', seconds: 2 })).toBe(
      '[########----------------------]  25 %  2,500 of 10,000 orders, 1,250/s',
    ))

  it('is drawn over itself on a terminal, and ends its line', () => {
    const written = drawn({
      isTTY: true,
      steps: [
        [1, 1_000],
        [2, 1_100],
        [10, 1_150],
      ],
    })
    expect(written).toHaveLength(2)
    expect(written[0]).toMatch(/^\r\[.*1 of 10 orders, 1\/s$/)
    expect(written[1]).toMatch(/^\r\[.*10 of 10 orders, 9\/s\n$/)
  })

  it('is a line now and then elsewhere', () => {
    const written = drawn({
      isTTY: false,
      steps: [
        [1, 1_000],
        [2, 2_000],
        [3, 6_500],
      ],
    })
    expect(written.map((line) => line.includes('\r') || !line.endsWith('\n'))).toStrictEqual([false, false])
  })
})

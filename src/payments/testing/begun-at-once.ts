import { expect } from 'vitest'
import type { Pace } from '../provider-pace.ts'

/** The share is per second; this allows for clock differences between server and clients. */
const SHARE_MS = 900

/** Returns how many calls begin before the first one that waits for its share. */
export async function begunAtOnce(paces: readonly Pace[], count: number): Promise<number> {
  const startedAt = performance.now()
  const begunMs: number[] = []
  const begin = async (pace: Pace | undefined): Promise<void> => {
    await pace?.('payments')
    begunMs.push(performance.now() - startedAt)
  }
  for (let index = 0; index < count; index += 1) begin(paces[index % paces.length]).catch(() => undefined)
  const atOnce = () => begunMs.filter((ms) => ms < SHARE_MS).length
  await expect.poll(() => begunMs.length > atOnce()).toBe(true)
  return atOnce()
}

import type { Pace } from '../provider-pace.ts'

const AT_ONCE_MS = 300

/** How many calls of these paces may begin at once. */
export async function begunAtOnce(paces: readonly Pace[], count: number): Promise<number> {
  let begun = 0
  const calls = Array.from({ length: count }, async (_, index) => {
    await paces[index % paces.length]?.('payments').then(
      () => (begun += 1),
      () => undefined,
    )
  })
  await Promise.race([Promise.all(calls), new Promise((resolve) => setTimeout(resolve, AT_ONCE_MS))])
  return begun
}

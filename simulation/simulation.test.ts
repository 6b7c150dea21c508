import { expect, it } from 'vitest'
import { simulate } from './simulation.ts'

/** More with `npm run simulate -- --seeds 100000`. */
const SEEDS = 300

it(
  `a simulated shop survives ${SEEDS} seeds of crashes, races, lost answers and late money`,
  { timeout: 300_000 },
  async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { problems } = await simulate({ seed })
      expect({ seed, problems }).toEqual({ seed, problems: [] })
    }
  },
)

it('the same seed gives the same simulation', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const first = await simulate({ seed, isTraced: true })
    const again = await simulate({ seed, isTraced: true })
    expect(again.trace).toEqual(first.trace)
  }
})

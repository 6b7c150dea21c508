import { describe, expect, it } from 'vitest'
import { foundBySeed, notFoundYet } from './recorded.ts'
import { simulate } from './simulation.ts'
import { switches } from './without.ts'

/** More by `npm run simulate -- --seeds 100000`. */
const SEEDS = 1_000
/** When the product changes, so does what each seed draws: the disaster must be found again within so many more. */
const MARGIN = 3_000

describe('a shop in virtual time', () => {
  it(
    `lives through ${SEEDS} seeds of crashes, races, lost answers and late money without harm`,
    { timeout: 300_000 },
    async () => {
      const steps: number[] = []
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const outcome = await simulate({ seed })
        expect({ seed, problems: outcome.problems }).toEqual({ seed, problems: [] })
        steps.push(outcome.steps)
      }
      expect(steps.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(10 * SEEDS)
    },
  )

  it('is the same each time that it is drawn from the same seed', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const first = await simulate({ seed, isTraced: true })
      const again = await simulate({ seed, isTraced: true })
      expect(again.trace).toEqual(first.trace)
    }
  })

  it('reaches what an order can go through', { timeout: 120_000 }, async () => {
    const reached = new Set<string>()
    for (let seed = 1; seed <= 300; seed += 1)
      for (const rows of (await simulate({ seed })).coverage.counts.values())
        for (const row of rows.keys()) reached.add(row)
    expect([...reached]).toEqual(
      expect.arrayContaining([
        'OrderReinstated',
        'CaptureRequested',
        'DeliveryRequested',
        'PaymentReversed',
        'OrderAbandoned',
      ]),
    )
  })
})

describe('a shop without one of its rules', () => {
  const recorded = switches.filter(({ name }) => foundBySeed[name] !== undefined)

  it.for(recorded)('comes to harm without rule $rule, $name', { timeout: 300_000 }, async (without) => {
    const first = foundBySeed[without.name] ?? 1
    const isFound = async (seed: number): Promise<boolean> => (await simulate({ seed, without })).problems.length > 0
    let found = await isFound(first)
    for (let seed = 1; !found && seed <= first + MARGIN; seed += 1) found = await isFound(seed)
    const { story } = without
    expect({ story, found }).toEqual({ story, found: true })
  })

  it('is told of for every rule that can be switched off', () => {
    const told = [...Object.keys(foundBySeed), ...Object.keys(notFoundYet)]
    expect(told.toSorted()).toEqual(switches.map(({ name }) => name).toSorted())
  })
})

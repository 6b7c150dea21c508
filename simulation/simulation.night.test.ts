import { expect, it } from 'vitest'
import { simulate } from './simulation.ts'
import { switches } from './without.ts'

const SEEDS = 100_000
const SEARCHED_MAX = 30_000
const PROGRESS_EVERY = 5_000
const TIMEOUT_MS = 12 * 3_600_000

it(`a simulated shop survives ${SEEDS} new seeds`, { timeout: TIMEOUT_MS }, async () => {
  const from = Date.now()
  const failing: string[] = []
  for (let seed = from; seed < from + SEEDS; seed += 1) {
    const { problems } = await simulate({ seed })
    if (problems.length > 0) failing.push(`npm run simulate -- --seed ${seed}`)
    const done = seed + 1 - from
    if (done % PROGRESS_EVERY === 0) process.stderr.write(`${done} of ${SEEDS} seeds, ${failing.length} failing\n`)
  }
  expect(failing).toEqual([])
})

it.for(switches)(
  'without $name a shop first comes to harm at the recorded seed',
  { timeout: TIMEOUT_MS },
  async (rule) => {
    const { theme } = rule
    let seed = 1
    while (seed <= SEARCHED_MAX && (await simulate({ theme, without: rule, seed })).problems.length === 0) seed += 1
    // An earlier seed must be recorded instead.
    expect(seed).toBe(rule.seed)
  },
)

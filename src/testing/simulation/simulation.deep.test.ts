import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Coverage } from './coverage.ts'
import { expectedCoverage } from './expected-coverage.ts'
import { foundBySeed, rarelyReached } from './recorded.ts'
import { simulate } from './simulation.ts'
import { switches } from './without.ts'

/** More by `npm run simulate -- --seeds 100000`. */
const SEEDS = 1_000
const TIMEOUT_MS = 600_000

describe('a shop in virtual time', () => {
  it(
    `lives through ${SEEDS} seeds of crashes, races, lost answers and late money without harm, and meets all that an order can meet`,
    { timeout: TIMEOUT_MS },
    async () => {
      const coverage = new Coverage()
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const outcome = await simulate({ seed })
        expect({ seed, problems: outcome.problems }).toEqual({ seed, problems: [] })
        coverage.add(outcome.coverage)
      }
      const missed = Object.entries(expectedCoverage).flatMap(([table, rows]) =>
        rows.filter((row) => coverage.of(table, row) === 0),
      )
      expect(missed.filter((row) => !rarelyReached.some((rare) => rare.row === row))).toEqual([])
    },
  )

  it.for(rarelyReached)('meets $row in worlds that lean that way', async ({ table, row, theme, seed }) => {
    const { coverage } = await simulate({ theme, seed })
    expect(coverage.of(table, row), `look for another seed with --theme '${theme}' --coverage`).toBeGreaterThan(0)
  })
})

describe('a shop without one of its rules', () => {
  it.for(switches)('comes to harm without rule $rule, $name', async (without) => {
    const { theme, name } = without
    const { problems } = await simulate({ theme, without, seed: foundBySeed[name] ?? 1 })
    expect(problems, `record it anew: npm run simulate -- --without ${name} --seeds 20000`).not.toEqual([])
  })

  it('stands in the table, with the world that finds it', () => {
    const table = readFileSync(new URL('rules.txt', import.meta.url), 'utf8')
    const rows = table.trimEnd().split('\n').slice(1)
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual(
      switches.map(({ rule, name, theme }) => [`${rule}`, name, theme]),
    )
  })
})

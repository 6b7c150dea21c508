import { expect, it } from 'vitest'
import { parsed, UsageError } from '../src/cli/command-line.ts'
import { commandOptions, type Options, optionsFrom } from './options.ts'

function parseOptions(words: readonly string[]): Options | undefined {
  const asked = parsed({ options: commandOptions }, words)
  return asked && optionsFrom(asked.values)
}

it('the options of the bench choose scenarios, sizes and rounds, of files or of servers', () => {
  expect(parseOptions([])).toMatchObject({ isOnServers: false, sizes: [100_000], rounds: 3, seconds: 3 })
  expect(parseOptions(['--full'])).toMatchObject({ sizes: [100_000, 1_000_000] })
  const chosen = { sizes: [1_000, 2_000], scenarios: new Set(['reads', 'place']) }
  expect(parseOptions(['--only', 'place,reads', '--orders', '1000,2000'])).toMatchObject(chosen)
  expect(parseOptions(['--servers', '--rounds', '1'])).toMatchObject({ isOnServers: true, sizes: [10_000], rounds: 1 })
  expect(parseOptions(['--base', '796327c,9fa925b'])).toMatchObject({ bases: ['796327c', '9fa925b'], rounds: 9 })
  for (const [words, sentence] of [
    [['--only', 'place,sing'], /no 'sing'/],
    [['--against', '/nowhere'], /a checkout with its node_modules/],
    [['--servers', '--only', 'place'], /--servers does not go with --only/],
    [['--servers', '--orders', '100,200'], /--servers takes one size/],
    [['--base', '796327c', '--full'], /--base does not go with --full/],
  ] as const) {
    expect(() => parseOptions(words)).toThrow(UsageError)
    expect(() => parseOptions(words)).toThrow(sentence)
  }
})

import { describe, expect, it } from 'vitest'
import { parsed, UsageError } from '../src/cli/command-line.ts'
import { commandOptions, type Options, optionsFrom, scenarioNames } from './options.ts'

function parseOptions(words: readonly string[]): Options | undefined {
  const asked = parsed({ options: commandOptions }, words)
  return asked && optionsFrom(asked.values)
}

describe('the options of the bench', () => {
  it('default to everything on 100,000 orders in three rounds', () =>
    expect(parseOptions([])).toStrictEqual({
      isOnServers: false,
      against: undefined,
      sizes: [100_000],
      rounds: 3,
      seconds: 3,
      scenarios: new Set(scenarioNames),
      profile: undefined,
    }))

  it('add a million orders with --full', () =>
    expect(parseOptions(['--full'])).toMatchObject({ sizes: [100_000, 1_000_000] }))

  it('choose scenarios, sizes and another checkout', () =>
    expect(parseOptions(['--only', 'place,reads', '--orders', '1000,2000', '--against', '.'])).toMatchObject({
      against: process.cwd(),
      sizes: [1_000, 2_000],
      scenarios: new Set(['reads', 'place']),
    }))

  it('measure 10,000 orders on servers with --servers', () => {
    expect(parseOptions(['--servers'])).toMatchObject({ isOnServers: true, sizes: [10_000] })
    expect(parseOptions(['--servers', '--orders', '500', '--rounds', '1'])).toMatchObject({ sizes: [500], rounds: 1 })
  })

  it.for<[words: string[], sentence: RegExp]>([
    [['--rounds', '0'], /--rounds takes a whole number from 1/],
    [['--seconds', 'many'], /--seconds takes a whole number .*'many'/],
    [['--only', 'place,sing'], /no 'sing'/],
    [['--against', '/nowhere'], /a checkout with its node_modules/],
    [['--fast'], /--fast/],
    [['--servers', '--only', 'place'], /--servers does not go with --only/],
    [['--servers', '--orders', '100,200'], /--servers takes one size/],
  ])('refuse %s in one line', ([words, sentence]) => {
    expect(() => parseOptions(words)).toThrow(UsageError)
    expect(() => parseOptions(words)).toThrow(sentence)
    expect(() => parseOptions(words)).not.toThrow(/\n/)
  })
})

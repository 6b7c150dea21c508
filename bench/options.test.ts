import { describe, expect, it } from 'vitest'
import { helpText, parseOptions, scenarioNames, UsageError } from './options.ts'

describe('the options of the bench', () => {
  it('measure everything but the large logs in three rounds, and write the page', () => {
    const options = parseOptions([])
    if (options === 'help') throw new Error('no help was asked for')
    expect(options).toMatchObject({ isFull: false, rounds: 3, seconds: 3, docs: 'docs' })
    expect([...options.scenarios]).toStrictEqual(scenarioNames.filter((name) => name !== 'sizes' && name !== 'soak'))
  })

  it('measure the large logs too with --full', () => {
    const options = parseOptions(['--full', '--sizes', '1000,2000'])
    expect(options).toMatchObject({ isFull: true, sizes: [1_000, 2_000], soakSeconds: 300 })
    expect(options !== 'help' && options.scenarios.has('soak')).toBe(true)
  })

  it('write nothing when only a part is measured', () => {
    const options = parseOptions(['--only', 'place,reads', '--rounds', '1', '--seconds', '2'])
    expect(options).toMatchObject({ rounds: 1, seconds: 2, docs: undefined, scenarios: new Set(['reads', 'place']) })
  })

  it('ask for help', () => {
    expect(parseOptions(['--help'])).toBe('help')
    for (const name of scenarioNames) expect(helpText()).toContain(name)
  })

  it.for<[words: string[], sentence: RegExp]>([
    [['--rounds', '0'], /--rounds takes a whole number from 1/],
    [['--seconds', 'many'], /--seconds takes a whole number .*'many'/],
    [['--only', 'place,sing'], /no 'sing'/],
    [['--fast'], /--fast/],
  ])('refuse %s in one line', ([words, sentence]) => {
    expect(() => parseOptions(words)).toThrow(UsageError)
    expect(() => parseOptions(words)).toThrow(sentence)
    expect(() => parseOptions(words)).not.toThrow(/\n/)
  })
})

import { describe, expect, it } from 'vitest'
import { flag, parsed, text, UsageError, wholeNumber } from './command-line.ts'
import { progressOn } from './progress.ts'

const command = {
  operands: ['FOLDER'],
  options: {
    books: flag('the books, too'),
    from: text('FOLDER', 'from where'),
    seeds: wholeNumber('N', 'how many', { min: 1, max: 9 }),
  },
}

describe('a command line', () => {
  it('is read as its table says', () => {
    expect(parsed(command, ['there', '--seeds', '3', '--books'])).toEqual({
      values: { books: true, from: undefined, seeds: 3 },
      operands: ['there'],
    })
    expect(parsed({}, [])).toEqual({ values: {}, operands: [] })
  })

  it('takes a value that begins with a dash behind =, and any word behind --', () =>
    expect(parsed(command, ['--from=-x', '--', '--seeds'])).toEqual({
      values: { books: undefined, from: '-x', seeds: undefined },
      operands: ['--seeds'],
    }))

  it.for(['-h', '--help'])('asks for help by %s', (word) => expect(parsed(command, [word])).toBeUndefined())

  it.for<[words: string[], sentence: RegExp]>([
    [['there', '--sedes', '3'], /unknown option '--sedes'/],
    [['there', '-x'], /unknown option '-x'/],
    [['there', '--seeds', '10'], /--seeds takes a whole number from 1 to 9, not '10'/],
    [['there', '--seeds', '0x3'], /--seeds takes a whole number/],
    [['there', '--seeds', ''], /--seeds takes a value/],
    [['there', '--seeds'], /^--seeds takes N \(how many\)$/],
    [['there', '--seeds', '-1'], /^--seeds takes N \(how many\), not '-1'$/],
    [['there', '--from', '--books'], /^--from takes FOLDER \(from where\), not '--books'$/],
    [['there', '--from=-1', '--seeds', '--', '3'], /^--seeds takes N \(how many\), not '--'$/],
    [['there', '--from='], /--from takes a value/],
    [['there', '--books=yes'], /--books/],
    [['there', 'more'], /unexpected argument 'more'/],
    [[], /FOLDER is missing/],
  ])('%s is refused in one line', ([words, sentence]) => {
    expect(() => parsed(command, words)).toThrow(UsageError)
    expect(() => parsed(command, words)).toThrow(sentence)
    expect(() => parsed(command, words)).not.toThrow(/\n/)
  })
})

function shownOn(isTTY: boolean): string {
  const written: string[] = []
  let now = 0
  const write = (chunk: string): boolean => written.push(chunk) > 0
  const progress = progressOn({ isTTY, columns: 12, write }, () => now)
  for (; now <= 10_000; now += 2_500) progress.show(`${now} of 10000 orders`)
  progress.clear()
  return written.join('')
}

describe('progress', () => {
  it('is a line every few seconds in a file', () =>
    expect(shownOn(false)).toBe('5000 of 10000 orders\n10000 of 10000 orders\n'))

  it('is one line on a terminal that fits into it and is cleared in the end', () => {
    const erase = '\r\u001B[K'
    expect(shownOn(true).split(erase)).toEqual([
      '',
      '0 of 10000 ',
      ...['2500', '5000', '7500', '10000'].map((at) => `${at} of 10000`.slice(0, 11)),
      '',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { shown, shownSpread } from './numbers.ts'
import { markdownTable, plainTable } from './table.ts'

const columns = [
  { title: 'what', align: 'left' },
  { title: 'per second', align: 'right' },
] as const
const rows = [
  ['placing', '9'],
  ['a|b', '1,234'],
]

describe('a table', () => {
  it('stands in columns on a terminal', () =>
    expect(plainTable(columns, rows)).toBe(
      ['what     per second', 'placing           9', 'a|b           1,234'].join('\n'),
    ))

  it('is a table of the page, whatever stands in its cells', () =>
    expect(markdownTable(columns, rows)).toBe(
      ['| what | per second |', '|---|---:|', '| placing | 9 |', '| a\\|b | 1,234 |'].join('\n'),
    ))
})

describe('a number', () => {
  it.for([
    [1_234_567.8, '1,234,568'],
    [123.4, '123'],
    [12.34, '12.3'],
    [1.234, '1.23'],
    [0.1234, '0.123'],
    [0, '0.00'],
    [undefined, '-'],
    [Number.NaN, '-'],
  ] as const)('%s is written %s', ([value, text]) => expect(shown(value)).toBe(text))

  it('tells its noise', () => {
    expect(shownSpread({ median: 100, low: 95, high: 110 })).toBe('100 (95.0-110, 15 %)')
    expect(shownSpread({ median: 100, low: 100, high: 100 })).toBe('100')
    expect(shownSpread(undefined)).toBe('-')
  })
})

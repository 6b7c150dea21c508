import { expect, it } from 'vitest'
import { searchWord } from './search-word.ts'

it.for([
  ['Ash@Example.org', ' ash@example.org '],
  ['ISTANBUL', 'İstanbul', 'istanbul', 'ıstanbul'],
  ['STRASSE', 'straße', 'Straẞe'],
  ['Ａｓｈ１', 'ash1'],
  ['ann\u00a0lee', 'ann  lee', 'Ann\u2009Lee', '\u200fann lee\u200f'],
  ['an\u200bn', '\u202aann\u202c', 'a\u00adnn', 'ann\ufeff'],
  ['Zoë', 'zoe\u0308', 'ZOE', 'zoë'],
  ['ΟΔΟΣ', 'οδος', 'οδοσ'],
  ['ﬁsh', 'FISH'],
  ['ash\u2800k', 'ash k'],
])('the spellings of row %# are one word to the search', (spellings) => {
  expect(new Set(spellings.map(searchWord)).size).toBe(1)
})

it.for([
  ['ash', 'ash_k'],
  ['कि', 'का'],
  ['a b', 'ab'],
])('the texts of row %# are two words to the search', ([one = '', other = '']) => {
  expect(searchWord(one)).not.toBe(searchWord(other))
})

it('the fold of a beginning is the beginning of the fold', () => {
  for (const [whole, beginning] of [
    ['οδοσκοπος', 'ΟΔΟΣ'],
    ['İstanbul Ltd', 'ISTAN'],
    ['straßenbahn', 'STRASSE'],
  ] as const)
    expect(searchWord(whole).startsWith(searchWord(beginning))).toBe(true)
})

import { expect, it } from 'vitest'
import { csvText } from './csv-text.ts'

it.for([
  ['a;=1+1;b', "a;'=1+1;b"],
  ['a; @SUM(A1)\t-1', "a; '@SUM(A1)\t'-1"],
  ['12345678: 1; 23456789: 2', '12345678: 1; 23456789: 2'],
  ['a=b, c-d', 'a=b, c-d'],
] as const)('a spreadsheet that splits a cell at semicolons finds no formula in %s', ([text, written]) => {
  expect(csvText(text)).toBe(written)
})

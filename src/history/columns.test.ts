import { describe, expect, it } from 'vitest'
import { type Column, headOf, textOf } from './columns.ts'

const columns: readonly Column[] = [
  { name: 'position', type: 'integer', says: '' },
  { name: 'text', type: 'text', says: '' },
  { name: 'isPaid', type: 'boolean', says: '' },
  { name: 'data', type: 'json', says: '' },
]

describe('exported rows', () => {
  it('are typed, and one line each, in CSV', () => {
    expect(headOf('csv', columns)).toBe('position,text,isPaid,data\n')
    expect(
      textOf('csv', columns, [
        [-1, 'a "b", c\r\nd', true, '{"a":1}'],
        [2, null, false, null],
      ]),
    ).toBe('-1,"a ""b"", c d",true,"{""a"":1}"\n2,,false,\n')
  })

  it.for(['=1+1', '+1', '-1', '@a', '\t=1', '＝1'])('begin no formula of a spreadsheet: %j', (text) => {
    expect(textOf('csv', columns, [[1, text, true, null]])).toMatch(/^1,"?'/)
  })

  it('are JSON in NDJSON', () => {
    expect(headOf('ndjson', columns)).toBe('')
    expect(
      textOf('ndjson', columns, [
        [1, 'a\n"', true, '{"a":1}'],
        [2, null, false, null],
      ]),
    ).toBe(
      '{"position":1,"text":"a\\n\\"","isPaid":true,"data":{"a":1}}\n{"position":2,"text":null,"isPaid":false,"data":null}\n',
    )
  })
})

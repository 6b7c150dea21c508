import { describe, expect, it } from 'vitest'
import { type Column, headOf, textOf } from './columns.ts'

const columns: readonly Column[] = [
  { name: 'position', type: 'integer', says: '' },
  { name: 'text', type: 'text', says: '' },
  { name: 'isPaid', type: 'boolean', says: '' },
  { name: 'data', type: 'json', says: '' },
  { name: 'at', type: 'timestamp', says: '' },
]

const AT = '2026-01-31T18:30:00.000Z'

describe('exported rows', () => {
  it('are typed, and one line each, in CSV', () => {
    expect(headOf('csv', columns)).toBe('position,text,isPaid,data,at\n')
    expect(
      textOf('csv', columns, [
        [-1, 'a "b", c\r\nd', true, '{"a":1}', AT],
        [2, null, false, null, null],
      ]),
    ).toBe(`-1,"a ""b"", c d",true,"{""a"":1}",${AT}\n2,,false,,\n`)
  })

  it.for(['=1+1', '+1', '-1', '@a', '\t=1', '＝1'])('begin no formula of a spreadsheet: %j', (text) => {
    expect(textOf('csv', columns, [[1, text, true, null, null]])).toMatch(/^1,"?'/)
  })

  it.for(['012345678901234567', '12345E67', '2026-01-31'])('keep %s a text, in quotes', (text) => {
    expect(textOf('csv', columns, [[1, text, true, null, null]])).toBe(`1,"${text}",true,,\n`)
  })

  it('are JSON in NDJSON', () => {
    expect(headOf('ndjson', columns)).toBe('')
    expect(
      textOf('ndjson', columns, [
        [1, 'a\n"', true, '{"a":1}', AT],
        [2, null, false, null, null],
      ]),
    ).toBe(
      `{"position":1,"text":"a\\n\\"","isPaid":true,"data":{"a":1},"at":"${AT}"}\n{"position":2,"text":null,"isPaid":false,"data":null,"at":null}\n`,
    )
  })
})

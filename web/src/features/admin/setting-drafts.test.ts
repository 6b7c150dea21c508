import { describe, expect, it } from 'vitest'
import { afterConflict, readNumber, revisionToSendAt } from './setting-drafts.ts'

const whole = { min: 0, max: 50_000, decimals: 0 } as const
const price = { min: 0, max: 1000, decimals: 2 } as const

describe('a typed number', () => {
  it.for([
    ['1200', 1200],
    [' 1,200 ', 1200],
    ['1 200', 1200],
    ['50,000', 50_000],
    ['0', 0],
    ['50000', 50_000],
  ] as const)('reads %s as a whole number', ([text, value]) => {
    expect(readNumber(text, whole)).toEqual({ value })
  })

  it.for(['', 'abc', '-1', '1.5', '1,5', '5 0', '50001', '1e3'])(
    'refuses "%s" where a whole number is asked for',
    (text) => {
      expect(readNumber(text, whole)).toEqual({ problem: 'Enter a whole number from 0\u00A0to\u00A050,000.' })
    },
  )

  it('takes cents of a price, and not less', () => {
    expect(readNumber('0.05', price)).toEqual({ value: 0.05 })
    expect(readNumber('.5', price)).toEqual({ value: 0.5 })
    expect(readNumber('12', price)).toEqual({ value: 12 })
    for (const text of ['0.055', '1,5', '1000.01', '.'])
      expect(readNumber(text, price)).toEqual({
        problem: 'Enter a number with at most 2 decimals from 0\u00A0to\u00A01,000.',
      })
  })
})

describe('a field that others may have changed', () => {
  it('is saved at the newest revision while it stands as it was seen', () => {
    expect(revisionToSendAt({ value: 5, revision: 9 }, { value: 5, revision: 7 })).toBe(9)
  })

  it('is saved at the revision that was seen, so that the shop refuses where it was set elsewhere', () => {
    expect(revisionToSendAt({ value: 6, revision: 9 }, { value: 5, revision: 7 })).toBe(7)
  })

  it('is tried again when the change was about another field', () => {
    expect(afterConflict({ seen: 5, mine: 8, theirs: 5 })).toBe('repeat')
  })

  it('is asked about when both have set it, and is settled when both have set the same', () => {
    expect(afterConflict({ seen: 5, mine: 8, theirs: 6 })).toBe('ask')
    expect(afterConflict({ seen: 5, mine: 8, theirs: 8 })).toBe('already-so')
  })
})

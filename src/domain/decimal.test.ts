import { expect, it } from 'vitest'
import {
  decimalFrom,
  decimalRest,
  decimalSum,
  decimalText,
  isLess,
  isPositiveDecimal,
  isSame,
  plainDecimal,
} from './decimal.ts'

it.for(['', '.', '5.', '.5', '-1', '+1', '1e-7', '1,5', ' 1', '1\n', '0x1', 'NaN', '1.2.3', '٣', '1'.repeat(81)])(
  'the amount %j is rejected',
  (text) => {
    expect(() => decimalFrom(text)).toThrow('Not a plain decimal amount')
  },
)

it.for(['0', '0.00', '', '-1', '1e3', '1.', '.1', 'abc', '1'.repeat(81)])('%j is not a positive decimal', (text) => {
  expect(isPositiveDecimal(text)).toBe(false)
})

it('decimal text has no exponent, however small the amount is', () => {
  expect(decimalText({ units: 1n, decimals: 8 })).toBe('0.00000001')
  expect(decimalText({ units: 0n, decimals: 2 })).toBe('0.00')
  expect(decimalText({ units: 12n, decimals: 0 })).toBe('12')
})

it.for([
  ['1.2e-7', '0.00000012'],
  ['1e-7', '0.0000001'],
  ['12E+3', '12000'],
  ['1.25e1', '12.5'],
  ['0.29411765', '0.29411765'],
  ['25.40', '25.40'],
  ['12345678901234567890.123456789', '12345678901234567890.123456789'],
] as const)('the number %s is read exactly', ([text, plain]) => expect(plainDecimal(text)).toBe(plain))

it.for(['-1', '1e999', '1e-61', '1e61', '', 'NaN', '.5', '1.', '0x1', '1e', '9'.repeat(81)])(
  '%j is not an amount',
  (text) => expect(plainDecimal(text)).toBeUndefined(),
)

it('amounts of any precision are added', () => {
  expect(decimalSum(['0.1', '0.20', '3'])).toBe('3.30')
  expect(decimalSum(['0.29411765'])).toBe('0.29411765')
  expect(decimalSum([])).toBe('0')
})

it('an amount is taken from another, and never below zero', () => {
  expect(decimalRest('3', '0.20')).toBe('2.80')
  expect(decimalRest('0.20', '0.2')).toBe('0')
  expect(decimalRest('0.1', '3')).toBe('0')
})

it('amounts of any precision are compared', () => {
  expect([isLess('2.5', '2.50'), isSame('2.5', '2.50')]).toEqual([false, true])
  expect([isLess('2.499999999', '2.5'), isLess('2.5', '2.499999999')]).toEqual([true, false])
  expect(isSame('2.499999999', '2.5')).toBe(false)
})

import { expect, it } from 'vitest'
import { remainderOf, shareOf } from './decimals.ts'

it('tells to the last unit what is still to be paid', () => {
  expect(remainderOf('0.04604051', '0.012')).toBe('0.03404051')
  expect(remainderOf('1', '0.000000000000000001')).toBe('0.999999999999999999')
  expect(remainderOf('12.5', '2.5')).toBe('10')
})

it('never asks for less than nothing', () => {
  expect(remainderOf('1', '1.5')).toBe('0')
})

it('asks for the unpaid share of an amount, and rounds it up', () => {
  expect(shareOf('0.00564706', { part: 24, whole: 48 })).toBe('0.00282353')
  expect(shareOf('0.1', { part: 1, whole: 3 })).toBe('0.03333334')
  expect(shareOf('0.1', { part: 1, whole: 0 })).toBe('0.1')
})

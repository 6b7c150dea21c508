import { expect, it } from 'vitest'
import { remainderOf } from './decimals.ts'

it('tells to the last unit what is still to be paid', () => {
  expect(remainderOf('0.04604051', '0.012')).toBe('0.03404051')
  expect(remainderOf('1', '0.000000000000000001')).toBe('0.999999999999999999')
  expect(remainderOf('12.5', '2.5')).toBe('10')
})

it('never asks for less than nothing', () => {
  expect(remainderOf('1', '1.5')).toBe('0')
})

import { expect, it } from 'vitest'
import { filtersFrom, listTitle, queryOf, selectedText } from './order-list-filters.ts'
import { addressWith } from '../shared/use-as-of.ts'

const at = (address: string) => new URLSearchParams(address)
const ofSize = (size: number) => Array.from({ length: size }, () => ({ totalAmount: '5.95' }))
const counted = { total: 1_234, filtered: 7, filteredIsExact: true }

it('the address sets the filters, and unknown values are ignored', () => {
  expect(filtersFrom(at('search=ash&status=pending&attention=any&deleted=true&x=1'))).toEqual({
    search: 'ash',
    status: 'pending',
    attention: 'any',
    deleted: 'true',
  })
  expect(filtersFrom(at('status=lost&paymentMethod=gold&search=%20'))).toEqual({})
})

it('the address omits defaults', () => {
  const changed = addressWith(at('search=ash'), { search: undefined, status: 'failed' })
  expect(changed.toString()).toBe('status=failed')
})

it('a search finds an order by its number as shown', () => {
  expect(queryOf({ search: ' E42K Q8GH ' })).toEqual({ search: 'E42KQ8GH' })
  expect(queryOf({ search: '#e42kq8gh' })).toEqual({ search: 'e42kq8gh' })
  expect(queryOf({ search: 'Ash Ketchum' })).toEqual({ search: 'Ash Ketchum' })
})

it('a search finds the orders of a day as shown', () => {
  const now = new Date(2026, 10, 22)
  const searched = (search: string) => queryOf({ search }, now).search
  expect(['22 Nov', '1 feb 2025', '22 Nov, 18:52', '3 September 2026'].map(searched)).toEqual([
    '2026-11-22',
    '2025-02-01',
    '2026-11-22',
    '2026-09-03',
  ])
  expect(['22 Nov x', '5 ash', 'nov'].map(searched)).toEqual(['22 Nov x', '5 ash', 'nov'])
})

it('the title counts all orders, or the matching ones', () => {
  expect(listTitle(counted, {})).toBe('All Orders (1,234)')
  expect(listTitle(counted, { search: 'ash' })).toBe('Filtered Orders (7 of 1,234)')
  expect(listTitle({ ...counted, total: 1 }, { deleted: 'true' })).toBe('Deleted Orders (7)')
  // The count is capped.
  const many = { total: 2_000_000, filtered: 10_000, filteredIsExact: false }
  expect(listTitle(many, { status: 'pending' })).toBe('Filtered Orders (10,000+ of 2,000,000)')
})

it('the selection shows its size, and the size of a list that is too large', () => {
  expect([selectedText([], false), selectedText(ofSize(55), false), selectedText(ofSize(1_000), true)]).toEqual([
    'None selected.',
    '55 selected, $327.25.',
    '1,000 selected, $5,950.00. More may match: a search selects the first 1,000.',
  ])
})

import { expect, it } from 'vitest'
import { filtersFrom, listTitle, queryOf, selectedText } from './order-list-filters.ts'
import { addressWith } from '../shared/use-as-of.ts'

const at = (address: string) => new URLSearchParams(address)
const counted = { total: 1_234, filtered: 7, filteredIsExact: true }

it('reads the filters from the address, and nothing that it does not know', () => {
  expect(filtersFrom(at('search=ash&status=pending&attention=any&deleted=true&x=1'))).toEqual({
    search: 'ash',
    status: 'pending',
    attention: 'any',
    deleted: 'true',
  })
  expect(filtersFrom(at('status=lost&paymentMethod=gold&search=%20'))).toEqual({})
})

it('leaves what is usual out of the address', () => {
  const changed = addressWith(at('search=ash'), { search: undefined, status: 'failed' })
  expect(changed.toString()).toBe('status=failed')
})

it('finds an order by its number as it is shown', () => {
  expect(queryOf({ search: ' E42K Q8GH ' })).toEqual({ search: 'E42KQ8GH' })
  expect(queryOf({ search: '#e42kq8gh' })).toEqual({ search: 'e42kq8gh' })
  expect(queryOf({ search: 'Ash Ketchum' })).toEqual({ search: 'Ash Ketchum' })
})

it('finds the orders of a day as it is shown', () => {
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

it('counts all orders, or those that match', () => {
  expect(listTitle(counted, {})).toBe('All Orders (1,234)')
  expect(listTitle(counted, { search: 'ash' })).toBe('Filtered Orders (7 of 1,234)')
  expect(listTitle({ ...counted, total: 1 }, { deleted: 'true' })).toBe('Deleted Orders (7)')
  // They were not counted to the end.
  const many = { total: 2_000_000, filtered: 10_000, filteredIsExact: false }
  expect(listTitle(many, { status: 'pending' })).toBe('Filtered Orders (10,000+ of 2,000,000)')
})

it('says how many are selected, and of how many', () => {
  expect([selectedText(0, undefined), selectedText(55, undefined), selectedText(1_000, '10,000+')]).toEqual([
    'None selected.',
    '55 selected.',
    '1,000 of 10,000+ selected.',
  ])
})

import type { OrderList, OrderListFilter, OrderListQuery } from '#contract/order-list-query.ts'
import type { Order } from '#contract/order.ts'
import { trimmed } from '#contract/typed-text.ts'
import { centsOf, count, usd } from '../../../lib/format.ts'
import { methodNames } from '../../../method-words.ts'
import { matching } from '../shared/staff-words.ts'

export const SEARCH_MAX = 254

type FilterRows = {
  readonly [Name in OrderListFilter]: {
    readonly label: string
    /** The name of the option that filters nothing. Without it, the filter is a checkbox for its only value. */
    readonly all?: string
    readonly options: { readonly [Value in NonNullable<OrderListQuery[Name]>]?: string }
  }
}

/** The filters above the list, by URL parameter. */
export const filterRows = {
  status: {
    label: 'Status',
    all: 'All statuses',
    options: { pending: 'Processing', completed: 'Completed', failed: 'Ended undelivered' },
  },
  paymentMethod: { label: 'Method', all: 'All methods', options: methodNames },
  attention: { label: 'Needs a person', options: { any: '' } },
  deleted: { label: 'Deleted', options: { true: '' } },
  refunded: { label: 'Refunded', options: { true: '' } },
  toPayBack: { label: 'To pay back', options: { true: '' } },
} as const satisfies FilterRows
export const filterNames = Object.keys(filterRows) as readonly (keyof typeof filterRows)[]

/** The list's filters as URL parameters, defaults omitted. */
export type OrderFilters = { readonly search?: string } & {
  readonly [Name in keyof typeof filterRows]?: keyof (typeof filterRows)[Name]['options']
}

export function filtersFrom(address: URLSearchParams): OrderFilters {
  const filters: Record<string, string> = {}
  const search = address.get('search')?.slice(0, SEARCH_MAX)
  if (search !== undefined && search.trim() !== '') filters['search'] = search
  for (const name of filterNames) {
    const value = address.get(name)
    if (value !== null && Object.hasOwn(filterRows[name].options, value)) filters[name] = value
  }
  return filters
}

export function isFiltered(filters: OrderFilters): boolean {
  return Object.keys(filters).length > 0
}

export function queryOf(filters: OrderFilters, now = new Date()): OrderListQuery {
  const { search, ...others } = filters
  return search === undefined ? others : { ...others, search: searchWord(search, now) }
}

/** A day as the list shows it, with or without the time: `31 Jan`, `31 Jan 2026, 14:05`. */
const shownDay = /^(\d{1,2}) ([a-z]{3})[a-z]*(?: (\d{4}))?(?:, \d{2}:\d{2})?$/i
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The server searches days as `2026-01-31`. A day without a year is of this year. */
function isoDay(word: string, now: Date): string | undefined {
  const [, day = '', name = '', year = String(now.getFullYear())] = shownDay.exec(word) ?? []
  const month = months.indexOf(name.toLowerCase()) + 1
  return month === 0 ? undefined : `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** What the server searches for: a day as ISO text, an order number without its space. */
function searchWord(typed: string, now: Date): string {
  const word = trimmed(typed).replace(/^#/, '')
  const day = isoDay(word, now)
  if (day !== undefined) return day
  return /^[0-9a-z]{4} [0-9a-z]{1,4}$/i.test(word) ? word.replace(' ', '') : word
}

type Counts = Pick<OrderList, 'total' | 'filtered' | 'filteredIsExact'>

export function listTitle(list: Counts | undefined, filters: OrderFilters): string {
  if (list === undefined) return isFiltered(filters) ? 'Filtered Orders' : 'All Orders'
  // The total excludes deleted orders.
  if (filters.deleted === 'true') return `Deleted Orders (${matching(list)})`
  if (!isFiltered(filters)) return `All Orders (${count(list.total)})`
  return `Filtered Orders (${matching(list)} of ${count(list.total)})`
}

/** `isCut`: a search found more than it lists. */
export function selectedText(orders: Iterable<Pick<Order, 'totalAmount'>>, isCut: boolean): string {
  const cents = [...orders].map(({ totalAmount }) => centsOf(totalAmount))
  if (cents.length === 0) return 'None selected.'
  const text = `${count(cents.length)} selected, ${usd(cents.reduce((sum, one) => sum + one, 0))}.`
  return isCut ? `${text} More may match: a search selects the first 1,000.` : text
}

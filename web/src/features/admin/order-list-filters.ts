import type { OrderListFilter, OrderListQuery } from '#contract/order-list.ts'
import { PAGES_MAX } from '../../api/admin.ts'
import { count } from '../../lib/format.ts'
import { methodNames } from '../../payment-methods.ts'

const SEARCH_MAX = 254

type FilterRows = {
  readonly [Name in OrderListFilter]: {
    readonly label: string
    /** The option that filters nothing; without it the filter is a checkbox. */
    readonly all?: string
    readonly options: { readonly [Value in NonNullable<OrderListQuery[Name]>]?: string }
  }
}

const attentionOptions = {
  any: 'Needs a person',
  short: 'Paid too little',
  over: 'Paid too much',
  unearned: 'Ended with money',
  reversed: 'Payment reversed',
  disputed: 'Payment disputed',
  'delivery-unknown': 'Delivery unknown',
  'buyer-unreadable': 'Buyer not readable',
  'wrong-coin': 'Paid in another coin',
  'capture-unknown': 'Capture unknown',
  'payment-unclear': 'Payment unclear',
  'never-confirmed': 'Seen, not confirmed',
  'receipt-refused': 'Receipt of another order',
  'delivered-after-end': 'Delivered after its end',
} as const

/** The choices above the list, by their URL parameters. */
export const filterRows = {
  status: {
    label: 'Status',
    all: 'All statuses',
    options: { pending: 'Processing', completed: 'Completed', failed: 'Ended undelivered' },
  },
  paymentMethod: { label: 'Method', all: 'All methods', options: methodNames },
  attention: { label: 'Attention', all: 'Any or none', options: attentionOptions },
  deleted: { label: 'Deleted', options: { true: 'Deleted' } },
  refunded: { label: 'Refunded', options: { true: 'Refunded' } },
} as const satisfies FilterRows
export const filterNames = Object.keys(filterRows) as readonly (keyof typeof filterRows)[]

const sorts = { sort: 'totalAmount', direction: 'asc' } as const satisfies OrderListQuery

/** Filters and sort of the list as URL parameters, defaults omitted. */
export type OrderFilters = { readonly search?: string } & {
  readonly [Name in keyof typeof filterRows]?: keyof (typeof filterRows)[Name]['options']
} & Partial<typeof sorts>

export function filtersFrom(address: URLSearchParams): OrderFilters {
  const filters: Record<string, string> = {}
  const search = address.get('search')?.slice(0, SEARCH_MAX)
  if (search !== undefined && search.trim() !== '') filters['search'] = search
  for (const name of filterNames) {
    const value = address.get(name)
    if (value !== null && Object.hasOwn(filterRows[name].options, value)) filters[name] = value
  }
  for (const [name, value] of Object.entries(sorts)) if (address.get(name) === value) filters[name] = value
  return filters
}

export function pagesFrom(address: URLSearchParams): number {
  const pages = Number(address.get('pages') ?? 1)
  return Number.isInteger(pages) ? Math.min(Math.max(pages, 1), PAGES_MAX) : 1
}

/** The same address with some parts changed; another list begins at its first page. */
export function addressWith(address: URLSearchParams, changes: Readonly<Record<string, string | undefined>>) {
  const next = new URLSearchParams(address)
  if (!('pages' in changes)) next.delete('pages')
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}

const cleared = ['search', ...filterNames] as const

export function isFiltered(filters: OrderFilters): boolean {
  return cleared.some((name) => filters[name] !== undefined)
}

/** Changes of the address that clear all filters. */
export const withoutFilters: Readonly<Record<string, undefined>> = Object.fromEntries(
  cleared.map((name) => [name, undefined]),
)

export function queryOf(filters: OrderFilters, now = new Date()): OrderListQuery {
  const { search, ...others } = filters
  return search === undefined ? others : { ...others, search: searchWord(search, now) }
}

/** A day, with its time or without, as the list shows it: `31 Jan`, `31 Jan 2026, 14:05`. */
const shownDay = /^(\d{1,2}) ([a-z]{3})[a-z]*(?: (\d{4}))?(?:, \d{2}:\d{2})?$/i
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The shop knows days as `2026-01-31`; one without a year is of this year. */
function isoDay(word: string, now: Date): string | undefined {
  const [, day = '', name = '', year = String(now.getFullYear())] = shownDay.exec(word) ?? []
  const month = months.indexOf(name.toLowerCase()) + 1
  return month === 0 ? undefined : `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The word that finds what was typed: a day as ISO text, an order number without its space. */
function searchWord(typed: string, now: Date): string {
  const word = typed.trim().replace(/^#/, '')
  const day = isoDay(word, now)
  if (day !== undefined) return day
  return /^[0-9a-z]{4} [0-9a-z]{1,4}$/i.test(word) ? word.replace(' ', '') : word
}

interface Counted {
  readonly total: number
  readonly filtered: number
  readonly filteredIsExact: boolean
}

export function listTitle(list: Counted | undefined, filters: OrderFilters): string {
  if (list === undefined) return isFiltered(filters) ? 'Filtered Orders' : 'All Orders'
  // The total counts no deleted order, so they are not "of" it.
  if (filters.deleted === 'true') return `Deleted Orders (${matching(list)})`
  if (!isFiltered(filters)) return `All Orders (${count(list.total)})`
  return `Filtered Orders (${matching(list)} of ${count(list.total)})`
}

/** `leftOutOf`: how many orders match, if too many to select all. */
export function selectedText({
  size,
  shown,
  leftOutOf,
}: {
  size: number
  shown: number
  leftOutOf: string | undefined
}): string {
  if (size === 0) return 'None selected.'
  const taken = leftOutOf === undefined ? `${count(size)} selected` : `${count(size)} of ${leftOutOf} selected`
  return shown === size ? `${taken}.` : `${taken}, ${count(size - shown)} of them not shown.`
}

/** `10,000+` when the count is capped. */
export function matching({ filtered, filteredIsExact }: Omit<Counted, 'total'>): string {
  return `${count(filtered)}${filteredIsExact ? '' : '+'}`
}

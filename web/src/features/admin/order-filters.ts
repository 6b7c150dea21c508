import type { AttentionReason, OrderListQuery } from '#contract/order.ts'
import { PAGES_MAX } from '../../api/admin.ts'
import { count } from '../../lib/format.ts'
import { methods } from '../../payment-methods.ts'
import { attentionNames } from './words.ts'

const SEARCH_MAX = 254

type Choices = { readonly [Name in keyof OrderListQuery]: readonly NonNullable<OrderListQuery[Name]>[] }

const filterChoices = {
  status: ['pending', 'completed', 'failed'],
  paymentMethod: methods,
  attention: ['any', ...(Object.keys(attentionNames) as AttentionReason[])],
  deleted: ['true'],
  refunded: ['true'],
} as const satisfies Choices

const choices = { ...filterChoices, sort: ['totalAmount'], direction: ['asc'] } as const satisfies Choices

/** Filters and sort of the list as URL parameters, defaults omitted. */
export type OrderFilters = { readonly search?: string } & {
  readonly [Name in keyof typeof choices]?: (typeof choices)[Name][number]
}

const filterNames = ['search', ...Object.keys(filterChoices)] as ('search' | keyof typeof filterChoices)[]

export function filtersFrom(address: URLSearchParams): OrderFilters {
  const filters: Record<string, string> = {}
  const search = address.get('search')?.slice(0, SEARCH_MAX)
  if (search !== undefined && search.trim() !== '') filters['search'] = search
  for (const [name, values] of Object.entries(choices)) {
    const value = address.get(name)
    if (value !== null && (values as readonly string[]).includes(value)) filters[name] = value
  }
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

export function isFiltered(filters: OrderFilters): boolean {
  return filterNames.some((name) => filters[name] !== undefined)
}

/** As changes of the address. */
export const withoutFilters: Readonly<Record<string, undefined>> = Object.fromEntries(
  filterNames.map((name) => [name, undefined]),
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

/** Order numbers are shown in fours. */
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
  if (!isFiltered(filters)) return `All Orders (${count(list.total)})`
  return `Filtered Orders (${matching(list)} of ${count(list.total)})`
}

/** `leftOutOf`: how many match, where not all could be taken. */
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

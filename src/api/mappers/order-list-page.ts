import { countOrders } from '../../projections/analytics.ts'
import { customerIdsBeginningWith } from '../../projections/customers.ts'
import { dayAfter, startOfDay } from '../../projections/calendar.ts'
import { listOrders, type OrderViewQuery, pageOfOrders, type Span } from '../../projections/order-list.ts'
import { searchWord } from '../../projections/search-word.ts'
import type { Views } from '../../projections/shop-views.ts'
import type { ParsedOrderListQuery } from '../contract/order-list-query.ts'

/** Without `asOf`, which selects the views. */
type ListQuery = Omit<ParsedOrderListQuery, 'asOf'>

interface Sources {
  readonly views: Views
  /** Current views, since past views name no people. */
  readonly people: Views
  readonly timeZone: string
}

/** A page of the list and its counts, by the API's query. */
export async function readOrderList(sources: Sources, query: ListQuery) {
  const { views } = sources
  const [page, total] = await Promise.all([
    viewQueryOf(sources, query).then(async (found) => listOrders(views, found)),
    countOrders(views),
  ])
  return { ...page, total }
}

/** The same page without its counts. */
export async function readOrderPage(sources: Sources, query: ListQuery) {
  return pageOfOrders(sources.views, await viewQueryOf(sources, query))
}

async function viewQueryOf({ people, timeZone }: Sources, query: ListQuery): Promise<OrderViewQuery> {
  const { search, paymentMethod: method, sort, from, to, ...same } = query as Given<ListQuery>
  const customerIds = search === undefined ? [] : await customerIdsBeginningWith(people, search)
  return {
    // Does not compile if the API has a filter that the view lacks.
    ...(same satisfies Pick<OrderViewQuery, keyof typeof same>),
    ...(search !== undefined && { search, customerIds, ...dayNamed(searchWord(search), timeZone) }),
    ...(method !== undefined && { method }),
    ...((from ?? to) !== undefined && { created: createdIn({ from, to }, timeZone) }),
    sort: sort === 'totalAmount' ? 'totalCents' : 'createdAt',
  }
}

/** The parser omits parameters that were not given. */
type Given<T> = { [Key in keyof T]: Exclude<T[Key], undefined> }

/** A day means all of it, in the shop's time zone; a timestamp is exact. */
function createdIn({ from, to }: Record<'from' | 'to', string | undefined>, timeZone: string): Span {
  const momentOf = (text: string) => (isDay(text) ? startOfDay(text, timeZone) : new Date(text).toISOString())
  return {
    from: from === undefined ? undefined : momentOf(from),
    below: to === undefined ? undefined : momentOf(isDay(to) ? dayAfter(to) : to),
  }
}

function dayNamed(word: string, timeZone: string): { searchedDay?: Span } {
  const from = isDay(word) ? startOfDay(word, timeZone) : undefined
  return from === undefined ? {} : { searchedDay: { from, below: startOfDay(dayAfter(word), timeZone) } }
}

function isDay(text: string): boolean {
  return text.length === 'yyyy-mm-dd'.length
}

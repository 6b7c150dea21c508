import { isDeepStrictEqual } from 'node:util'
import { buyerTextNames, buyerTexts } from '../domain/order/buyer-texts.ts'
import { MARKET_IDS_MAX } from '../domain/pricing.ts'
import type { Projection, Queries } from './projection.ts'
import { isOf, markerId } from './projection.ts'
import { searchWord } from './search-word.ts'
import { pagesOf, type Views } from './shop-views.ts'

/** A customer's search terms: the only opened personal data of all views. */
export interface CustomerDocument {
  /** E-mail and chat names as `searchWord` folds them, newest last. */
  readonly terms: readonly string[]
  /** Of the newest orders, newest last; as many as one order can have. */
  readonly marketIds?: readonly string[]
  /** The vault did not know an order's key, so the order's terms are missing. */
  readonly isUnread?: true
}

const searched = buyerTextNames.filter((name) => buyerTexts[name].isSearched)
/** Only the newest terms are kept. */
const TERMS_MAX = 20
/** The orders of each are looked up separately: search cost is linear in matches. */
export const CUSTOMERS_FOUND_MAX = 100

const customerQueries = {
  byTerm: (text: string) => ({ range: { field: 'terms', beginsWith: text } }),
  byMarketId: (digits: string) => ({ range: { field: 'marketIds', beginsWith: digits } }),
  unread: () => ({ equal: { isUnread: true } }),
} satisfies Queries

const customerTypes = ['OrderPlaced', 'CustomerErased'] as const

export const customersProjection: Projection<CustomerDocument> = {
  name: 'customers',
  isPersonal: true,
  fields: { terms: 'terms', marketIds: 'terms', isUnread: 'boolean' },
  indexes: [['isUnread']],
  queries: customerQueries,

  keys(event) {
    if (isOf(customerTypes, event)) return [event.data.customerId]
    if (event.type !== 'unreadable') return []
    return customerTypes.some((type) => type === event.storedType) ? [markerId(event)] : []
  },

  opens: (event) => event.type === 'OrderPlaced',

  evolve({ body, isTombstone, opened }, event) {
    // An order in progress during the erasure must not bring the data back.
    if (event.type === 'CustomerErased' || isTombstone) return undefined
    if (event.type !== 'OrderPlaced' || opened === undefined) return body
    if (opened === 'erased') return undefined
    if (opened === 'unreadable') return body?.isUnread ? body : { terms: [], ...body, isUnread: true }
    const added = {
      terms: withNewest(
        body?.terms,
        searched.map((name) => searchWord(opened[name])).filter((term) => term !== ''),
        TERMS_MAX,
      ),
      marketIds: withNewest(
        body?.marketIds,
        opened.marketIds.map(({ marketId }) => marketId),
        MARKET_IDS_MAX,
      ),
    }
    const next = { ...body, ...added }
    // Most returning buyers use the same names and market ids.
    return isDeepStrictEqual(next, body) ? body : next
  },
}

function withNewest(before: readonly string[] = [], added: readonly string[], max: number): string[] {
  const newest = new Set(added)
  return [...before.filter((one) => !newest.has(one)), ...newest].slice(-max)
}

/** Customers with an e-mail, chat name or market id that begins with `word`, at most 100. Throws `ViewBehind`. */
export async function customerIdsBeginningWith(views: Views, word: string): Promise<string[]> {
  const text = searchWord(word)
  if (text === '') return []
  const meanings = [customerQueries.byTerm(text)]
  if (/^\d{4,8}$/.test(text)) meanings.push(customerQueries.byMarketId(text))
  const found = await Promise.all(
    meanings.map(async (query) => views.find(customersProjection.name, query, { limit: CUSTOMERS_FOUND_MAX })),
  )
  return [...new Set(found.flat().map(({ id }) => id))].slice(0, CUSTOMERS_FOUND_MAX)
}

/** Customers with unread data, in pages of at most 1,000. */
export async function* unreadCustomers(views: Pick<Views, 'find'>): AsyncGenerator<string[]> {
  for await (const rows of pagesOf(views, customersProjection.name, customerQueries.unread()))
    if (rows.length > 0) yield rows.map(({ id }) => id)
}

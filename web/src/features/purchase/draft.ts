import type { OrderCreate } from '#contract/order.ts'
import { marketIdAmounts, QUANTITY_MAX_M } from '#pricing'

/** The ids of larger orders, above 1,000M, are taken as one list. */
export const MARKET_ID_FIELDS_MAX = 20

/** What a buyer has typed so far, as typed. */
export interface Draft {
  readonly quantity: string
  readonly shownIn: 'USD' | 'INR'
  readonly customerEmail: string
  readonly discordUsername: string
  readonly marketIds: readonly string[]
  /** The Idempotency-Key of the order that will be made of it. */
  readonly key: string
  /** The total that the buyer last said yes to. */
  readonly agreedTotal: string | null
  /** Sent without an answer: the same request must be repeated. */
  readonly attempt: { readonly content: string; readonly body: OrderCreate } | null
  readonly made: {
    readonly content: string
    readonly orderId: string
    /** The buyer has gone back from the order to change it. */
    readonly isChanged?: boolean
  } | null
}

export function newDraft(key: string): Draft {
  return {
    quantity: '',
    shownIn: 'USD',
    customerEmail: '',
    discordUsername: '',
    marketIds: [],
    key,
    agreedTotal: null,
    attempt: null,
    made: null,
  }
}

/** Whole millions; NaN for anything else. Spaces and thousands separators are forgiven. */
export function quantityOf(draft: Draft): number {
  const typed = draft.quantity.trim().replace(/\s*m$/i, '')
  // `1,5` is no fifteen.
  const isWhole = /^(?:\d{1,6}|\d{1,3}(?:[\s,]\d{3})+)$/.test(typed)
  const quantityM = isWhole ? Number(typed.replaceAll(/[\s,]/g, '')) : Number.NaN
  return quantityM >= 1 && quantityM <= QUANTITY_MAX_M ? quantityM : Number.NaN
}

/** One place for each market id that the quantity needs, with what was typed for it. */
export function marketIdPlaces(draft: Draft): readonly { amountM: number; typed: string }[] {
  const quantityM = quantityOf(draft)
  if (Number.isNaN(quantityM)) return []
  return marketIdAmounts(quantityM).map((amountM, index) => ({ amountM, typed: draft.marketIds[index] ?? '' }))
}

export function isMarketId(text: string): boolean {
  return /^\d{8}$/.test(text)
}

/** Market ids with nothing else between them, or none. Where something else separates them, spaces may stand within an id. */
export function idsIn(text: string): readonly string[] {
  for (const separator of [/[,;|/\n\r\t]/, /[,;|/\s]/]) {
    const parts = text.split(separator).map((part) => part.replaceAll(/\s/g, ''))
    const ids = parts.filter((part) => part !== '')
    if (ids.every(isMarketId)) return ids
  }
  return []
}

/** Puts what stands in a field at its place; several ids fill the places that follow. What cannot become market ids is kept as it is, to be seen. */
export function withMarketIds(draft: Draft, index: number, text: string): Draft {
  const ids = idsIn(text)
  const digits = text.replaceAll(/\s/g, '')
  const fit = ids.length > 0 && ids.length <= marketIdPlaces(draft).length - index
  const typed = fit ? ids : [/^\d{0,8}$/.test(digits) ? digits : text]
  const marketIds = Array.from({ length: Math.max(draft.marketIds.length, index + typed.length) }, (_, place) =>
    place >= index && place < index + typed.length ? (typed[place - index] ?? '') : (draft.marketIds[place] ?? ''),
  )
  return { ...draft, marketIds }
}

/** The ids of a pasted list, whatever separates them. */
export function marketIdsIn(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((one) => one !== '')
}

/** Equal for two drafts that make the same order. */
export function contentOf(draft: Draft): string {
  const { customerEmail, discordUsername } = draft
  const ids = marketIdPlaces(draft).map((place) => place.typed)
  return JSON.stringify([quantityOf(draft), customerEmail.trim(), discordUsername.trim(), ids])
}

export function orderBody(draft: Draft, totalAmount: string): OrderCreate {
  const places = marketIdPlaces(draft)
  const several = places.map(({ amountM, typed }) => ({ marketId: typed, amount: amountM }))
  return {
    customerEmail: draft.customerEmail.trim(),
    discordUsername: draft.discordUsername.trim(),
    marketId: places[0]?.typed ?? '',
    ...(several.length > 1 ? { marketIds: several } : {}),
    pokecoinAmount: quantityOf(draft),
    totalAmount,
  }
}

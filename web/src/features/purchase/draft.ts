import { type BuyerTextName, buyerTextNames, type BuyerTexts, byBuyerText } from '#contract/buyer.ts'
import type { OrderCreate } from '#contract/order.ts'
import { emailIn, plainText, trimmed } from '#contract/typed-text.ts'
import { marketIdAmounts, QUANTITY_MAX_M } from '#pricing'
import { useSyncExternalStore } from 'react'
import { remember, remembered } from '../../lib/storage.ts'
import { store } from '../../lib/store.ts'

/** The buyer's input, as typed. */
export interface Draft extends BuyerTexts {
  readonly quantity: string
  readonly shownIn: 'USD' | 'INR'
  readonly marketIds: readonly string[]
  /** The total that the buyer last accepted. */
  readonly agreedTotal: string | null
  /** The last request, with its Idempotency-Key. Its response may be lost. */
  readonly sent: { readonly content: string; readonly totalAmount: string; readonly key: string } | null
  readonly placed: {
    readonly content: string
    readonly orderId: string
    /** The buyer went back from the order to change it. */
    readonly isChanged?: boolean
  } | null
}

export const emptyDraft: Draft = {
  quantity: '',
  shownIn: 'USD',
  ...byBuyerText(() => ''),
  marketIds: [],
  agreedTotal: null,
  sent: null,
  placed: null,
}

/** Whole millions, or NaN. Spaces and thousands separators are accepted. */
export function quantityOf(draft: Draft): number {
  const typed = plainText(draft.quantity).replace(/\s*m$/i, '')
  // `1,5` is not 15.
  const isWhole = /^(?:\d{1,6}|\d{1,3}(?:[\s,]\d{3})+)$/.test(typed)
  const quantityM = isWhole ? Number(typed.replaceAll(/[\s,]/g, '')) : Number.NaN
  return quantityM >= 1 && quantityM <= QUANTITY_MAX_M ? quantityM : Number.NaN
}

/** A market ID that the quantity needs, with its share of the coins and the typed text. */
export interface MarketIdPlace {
  readonly amountM: number
  readonly typed: string
}

export function marketIdPlaces(draft: Draft): readonly MarketIdPlace[] {
  const quantityM = quantityOf(draft)
  if (Number.isNaN(quantityM)) return []
  return marketIdAmounts(quantityM).map((amountM, index) => ({ amountM, typed: draft.marketIds[index] ?? '' }))
}

export function isMarketId(text: string): boolean {
  return /^\d{8}$/.test(text)
}

const meant: Readonly<Record<BuyerTextName, (typed: string) => string>> = {
  customerEmail: emailIn,
  discordUsername: trimmed,
}

/** The typed text, without what pasting has put around it. */
export function buyerTextOf(draft: Draft, name: BuyerTextName): string {
  return meant[name](draft[name])
}

/** Equal for two drafts of the same order. */
export function contentOf(draft: Draft): string {
  const ids = marketIdPlaces(draft).map((place) => place.typed)
  return JSON.stringify([
    quantityOf(draft),
    ...buyerTextNames.map((name) => buyerTextOf(draft, name)).filter((text) => text !== ''),
    ids,
  ])
}

export function orderBody(draft: Draft, totalAmount: string): OrderCreate {
  const places = marketIdPlaces(draft)
  const several = places.map(({ amountM, typed }) => ({ marketId: typed, amount: amountM }))
  return {
    // Empty texts are not sent: during an upgrade, an older process would refuse one that it does not know.
    ...(byBuyerText((name) => buyerTextOf(draft, name) || undefined) as BuyerTexts),
    marketId: places[0]?.typed ?? '',
    ...(several.length > 1 ? { marketIds: several } : {}),
    pokecoinAmount: quantityOf(draft),
    totalAmount,
  }
}

const storageKey = 'coinshop.draft.2'
const KEPT_FOR_MS = 24 * 60 * 60 * 1000

interface Kept {
  readonly draft: Draft
  readonly savedAt: number
}

const draft = store(stored('own') ?? stored('shared') ?? emptyDraft)

/** The draft, kept in this browser for a day. A tab prefers its own draft to the one that all tabs share. */
export function useDraft(): Draft {
  return useSyncExternalStore(draft.subscribe, draft.get, () => emptyDraft)
}

export function currentDraft(): Draft {
  return draft.get()
}

export function changeDraft(change: Partial<Draft>): Draft {
  const changed = { ...draft.get(), ...change }
  const kept: Kept = { draft: changed, savedAt: Date.now() }
  remember(storageKey, kept, 'own')
  remember(storageKey, kept)
  draft.set(changed)
  return changed
}

/** The draft to place, with the order or request that another tab has made of the same draft. */
export function draftToPlace(agreedTotal: string): Draft {
  const own = draft.get()
  const other = stored('shared')
  const isSame = own.placed === null && other !== undefined && contentOf(other) === contentOf(own)
  return changeDraft({ agreedTotal, ...(isSame && { placed: other.placed, sent: other.sent }) })
}

/** Starts an empty draft, but keeps who the buyer is and the currency. */
export function startNewDraft(): void {
  const typed = draft.get()
  changeDraft({ ...emptyDraft, ...byBuyerText((name) => typed[name]), shownIn: typed.shownIn })
}

/** Notes that the buyer goes back to change the placed order. Placing the draft again replaces that order. */
export function goBackToChange(): void {
  const { placed } = draft.get()
  if (placed !== null) changeDraft({ placed: { ...placed, isChanged: true } })
}

function stored(whose: 'own' | 'shared'): Draft | undefined {
  const kept = remembered(storageKey, isKept, whose)
  return kept !== undefined && kept.savedAt + KEPT_FOR_MS > Date.now() ? { ...emptyDraft, ...kept.draft } : undefined
}

function isKept(value: unknown): value is Kept {
  const { draft, savedAt } = value as Partial<Kept>
  return typeof savedAt === 'number' && Array.isArray(draft?.marketIds)
}

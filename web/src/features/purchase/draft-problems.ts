import { type BuyerTextName, buyerTextNames, buyerTexts } from '#contract/buyer.ts'
import { emailProblem, isVisibleName } from '#contract/typed-text.ts'
import { ONE_MARKET_ID_MAX_M, QUANTITY_MAX_M } from '#pricing'
import { canBuy, type Offer } from '../../api/offer.ts'
import type { FieldProblem } from '../../components/ui/field.tsx'
import { count, millions } from '../../lib/format.ts'
import { buyerTextOf, type Draft, isMarketId, type MarketIdPlace, marketIdPlaces, quantityOf } from './draft.ts'

const WRONG_LISTED_MAX = 3

export function quantityProblems(draft: Draft, offer: Offer | undefined): FieldProblem[] {
  const quantityM = quantityOf(draft)
  if (offer === undefined) return [{ field: 'quantity', message: 'Price and stock are still loading' }]
  if (draft.quantity.trim() === '') return [{ field: 'quantity', message: 'Enter how many millions you want' }]
  if (Number.isNaN(quantityM))
    return [{ field: 'quantity', message: `Enter a whole number of millions, 1 to ${count(QUANTITY_MAX_M)}` }]
  if (canBuy(offer, quantityM)) return []
  return [{ field: 'quantity', message: onlyInStock(offer) }]
}

export function onlyInStock({ stockM, coins }: Pick<Offer, 'stockM' | 'coins'>): string {
  return `Only ${millions(stockM)} ${coins} available in stock`
}

const problemWith: Readonly<Record<BuyerTextName, (text: string) => string | undefined>> = {
  customerEmail: emailMessage,
  discordUsername: nameProblem,
}

export function customerProblems(draft: Draft): FieldProblem[] {
  return buyerTextNames.flatMap((field) => {
    const message = problemWith[field](buyerTextOf(draft, field))
    return message === undefined ? [] : [{ field, message }]
  })
}

function nameProblem(name: string): string | undefined {
  const { charsMax } = buyerTexts.discordUsername
  if (name === '') return 'Enter your Discord username'
  if (name.length > charsMax) return `A Discord username has at most ${charsMax} characters. You entered ${name.length}`
  return isVisibleName(name) ? undefined : 'Your Discord username has a character that cannot be seen: type it again'
}

function emailMessage(email: string): string | undefined {
  const { charsMax } = buyerTexts.customerEmail
  if (email === '') return 'Enter your e-mail address'
  if (email.length > charsMax)
    return `An e-mail address has at most ${charsMax} characters. You entered ${email.length}`
  return emailProblem(email)
}

export function marketIdProblems(draft: Draft): FieldProblem[] {
  const places = marketIdPlaces(draft)
  if (places.length > 1) return listProblems(draft.marketIds, places)
  const [typed = ''] = draft.marketIds
  return isMarketId(typed) ? [] : [{ field: 'marketId', message: problemOf(typed) }]
}

function problemOf(typed: string): string {
  if (typed === '') return 'Enter your market ID'
  return /^\d+$/.test(typed)
    ? `You entered ${typed.length} of 8 digits`
    : 'Your market ID takes 8 digits and nothing else'
}

/** One message for the whole list, which may have hundreds of errors. */
function listProblems(given: readonly string[], places: readonly MarketIdPlace[]): FieldProblem[] {
  const needed = places.length
  const ids = given.filter((one) => one !== '')
  const wrong = ids.flatMap((one, index) => (isMarketId(one) ? [] : [`${one.slice(0, 12)} (number ${index + 1})`]))
  const more = wrong.length > WRONG_LISTED_MAX ? `, and ${wrong.length - WRONG_LISTED_MAX} more` : ''
  const parts = [
    ...(ids.length < needed ? [`${needed - ids.length} of ${needed} market IDs are missing`] : []),
    ...(ids.length > needed ? [`${ids.length - needed} market IDs too many: the order takes ${needed}`] : []),
    ...(wrong.length > 0 ? [`not 8 digits: ${wrong.slice(0, WRONG_LISTED_MAX).join(', ')}${more}`] : []),
    ...overfilled(places).map(
      ([id, amountM]) =>
        `${id} would get ${millions(amountM)}, and one market ID takes at most ${millions(ONE_MARKET_ID_MAX_M)}`,
    ),
  ]
  const message = parts.join('; ')
  return message === '' ? [] : [{ field: 'marketIds', message: message.charAt(0).toUpperCase() + message.slice(1) }]
}

/** The first market ID that was typed so often that it would get too much, with its amount. */
function overfilled(places: readonly MarketIdPlace[]): (readonly [string, number])[] {
  const amounts = new Map<string, number>()
  for (const { typed, amountM } of places)
    if (isMarketId(typed)) amounts.set(typed, (amounts.get(typed) ?? 0) + amountM)
  return [...amounts].filter(([, amountM]) => amountM > ONE_MARKET_ID_MAX_M).slice(0, 1)
}

/** The first incomplete step; 3 if only market IDs may be missing. */
export function furthestStep(draft: Draft): 1 | 2 | 3 {
  if (Number.isNaN(quantityOf(draft))) return 1
  return customerProblems(draft).length > 0 ? 2 : 3
}

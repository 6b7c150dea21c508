import { marketIdCount, PER_MARKET_ID_MAX_M } from './pricing.ts'
import { Refusal } from './refusal.ts'

export interface MarketIdAmount {
  readonly marketId: string
  readonly amountM: number
}

/**
 * The ids that get the coins: one up to 99M; above, exactly ceil(q/50) of at most 50M each that add up to the quantity.
 * Expects ids of 8 digits. Throws `market-ids/wrong`; its message says what is expected.
 */
export function marketIdsFor(
  quantityM: number,
  given: { marketId: string; marketIds: readonly MarketIdAmount[] | undefined },
): MarketIdAmount[] {
  const { marketId, marketIds = [] } = given
  const count = marketIdCount(quantityM)
  if (count === 1) {
    if (marketIds.length === 0) return [{ marketId, amountM: quantityM }]
    const [only] = marketIds
    if (marketIds.length > 1 || only?.marketId !== marketId || only.amountM !== quantityM)
      throw wrong(`An order of ${quantityM}M goes to one market ID with all of it.`)
    return [{ marketId, amountM: quantityM }]
  }
  if (marketIds.length !== count)
    throw wrong(`An order of ${quantityM}M needs exactly ${count} market IDs; ${marketIds.length} were given.`)
  if (marketIds.some(({ amountM }) => amountM < 1 || amountM > PER_MARKET_ID_MAX_M))
    throw wrong(`Each market ID takes from 1M to ${PER_MARKET_ID_MAX_M}M.`)
  const sum = marketIds.reduce((total, { amountM }) => total + amountM, 0)
  if (sum !== quantityM) throw wrong(`The amounts of the market IDs add up to ${sum}M, not to ${quantityM}M.`)
  if (marketIds[0]?.marketId !== marketId) throw wrong('The first market ID must be the main one.')
  return [...marketIds]
}

function wrong(message: string): Refusal {
  return new Refusal('market-ids/wrong', message)
}

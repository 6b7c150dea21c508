import { buyerTexts, byBuyerText } from '../../domain/order/buyer-texts.ts'
import type { Buyer } from '../../shop/read-history.ts'

type Personal = Exclude<Buyer, string>

/** The buyer as shown to anyone with the order's link. */
export function maskBuyer(buyer: Personal): Personal {
  return {
    ...byBuyerText((name) => (buyer[name] === '' ? '' : buyerTexts[name].mask(buyer[name]))),
    marketIds: buyer.marketIds.map(({ marketId, amountM }) => ({ marketId: `…${marketId.slice(-2)}`, amountM })),
  }
}

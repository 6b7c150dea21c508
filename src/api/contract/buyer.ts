/* Imports no zod: screens that only show an order load none. */

export {
  type BuyerTextName,
  buyerTextNames,
  type BuyerTexts,
  buyerTexts,
  byBuyerText,
  personalDataOfOrder,
} from '../../domain/order/buyer-texts.ts'

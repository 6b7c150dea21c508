import { methodRows, type PaymentMethod } from './payment-methods.ts'
import type { Currency } from './words.ts'

/** Price of one million coins, in ten-thousandths of a dollar, so that every percentage of a price in cents is a whole number. */
type UnitPriceTenThousandths = number

/** Discount from `amountM` on. */
export interface Pack {
  readonly amountM: number
  readonly discountPercent: number
}

/** The amount that a payment method charges. */
export interface Charge {
  /** Cents, or paise for INR; includes the fee. */
  readonly askedMinor: number
  readonly currency: Currency
}

export interface Quote {
  readonly quantityM: number
  readonly unitPriceTenThousandths: UnitPriceTenThousandths
  readonly discountPercent: number
  readonly totalCents: number
}

export const QUANTITY_MAX_M = 50_000

const packs = [1, 2, 3, 4, 5, 6] as const
type PackNumber = (typeof packs)[number]
type PackFields<Amount, Discount> = { readonly [Number in PackNumber as `pack${Number}Amount`]: Amount } & {
  readonly [Number in PackNumber as `pack${Number}Discount`]: Discount
}

/** The settings fields of all packs. */
export function packFields<Amount, Discount>(
  valuesOf: (index: number) => { amount: Amount; discount: Discount },
): PackFields<Amount, Discount> {
  const fields = packs.flatMap((pack, index) => {
    const { amount, discount } = valuesOf(index)
    return Object.entries({ [`pack${pack}Amount`]: amount, [`pack${pack}Discount`]: discount })
  })
  return Object.fromEntries(fields) as PackFields<Amount, Discount>
}

/** Pack 1 to pack 6, in this order: the price formula uses the last that fits. */
export function packsOf(settings: PackFields<number, number>): Pack[] {
  return packs.map((pack) => ({
    amountM: settings[`pack${pack}Amount`],
    discountPercent: settings[`pack${pack}Discount`],
  }))
}

/** Exact integer division, rounded half up; for 0 to 2^53. */
export function divideHalfUp(numerator: number, denominator: number): number {
  const rest = numerator % denominator
  return (numerator - rest) / denominator + (2 * rest >= denominator ? 1 : 0)
}

/** Base price less the bulk discount. Exact, since both are whole numbers. */
export function unitPrice(prices: { basePriceCents: number; bulkDiscountPercent: number }): UnitPriceTenThousandths {
  return prices.basePriceCents * (100 - prices.bulkDiscountPercent)
}

/** The discount of the last pack (pack 6 down to pack 1) whose amount is not above the quantity, else 0. */
export function packDiscount(packs: readonly Pack[], quantityM: number): number {
  return packs.findLast((pack) => pack.amountM <= quantityM)?.discountPercent ?? 0
}

/** The price of a quantity, rounded to cents once, at the end. `quantityM` is a whole number from 1 to `QUANTITY_MAX_M`. */
export function quote(offer: { unitPriceTenThousandths: number; packs: readonly Pack[] }, quantityM: number): Quote {
  const { unitPriceTenThousandths, packs } = offer
  const discountPercent = packDiscount(packs, quantityM)
  const totalCents = divideHalfUp(quantityM * unitPriceTenThousandths * (100 - discountPercent), 100 * 100)
  return { quantityM, unitPriceTenThousandths, discountPercent, totalCents }
}

/** `paisePerUsd`: 8650 for 86.5 rupees a dollar. */
export function paiseOf(totalCents: number, paisePerUsd: number): number {
  return divideHalfUp(totalCents * paisePerUsd, 100)
}

/** The amount that a method charges for `coversCents` of an order's total. */
export function chargeBy(method: PaymentMethod, coversCents: number, paisePerUsd: number): Charge {
  const { currency } = methodRows[method]
  const cents = coversCents + feeCentsOf(method)
  return { currency, askedMinor: currency === 'INR' ? paiseOf(cents, paisePerUsd) : cents }
}

export function feeCentsOf(method: PaymentMethod): number {
  return methodRows[method].feeCents
}

/** Up to 99M go to one market id; above, each gets at most 50M. */
export const ONE_MARKET_ID_MAX_M = 99
export const PER_MARKET_ID_MAX_M = 50

export function marketIdCount(quantityM: number): number {
  return quantityM <= ONE_MARKET_ID_MAX_M ? 1 : Math.ceil(quantityM / PER_MARKET_ID_MAX_M)
}

/** Market ids of the largest order. */
export const MARKET_IDS_MAX = marketIdCount(QUANTITY_MAX_M)

/** The amount of each market id: 50M each, the rest on the last. */
export function marketIdAmounts(quantityM: number): number[] {
  const count = marketIdCount(quantityM)
  if (count === 1) return [quantityM]
  return Array.from({ length: count }, (_, index) =>
    Math.min(PER_MARKET_ID_MAX_M, quantityM - index * PER_MARKET_ID_MAX_M),
  )
}

import type { PaymentMethod } from '#contract/order.ts'
import type { PaymentSettings } from '#contract/settings.ts'
import type { Pack } from '#pricing'
import { packsOf, quote, unitPrice } from '#pricing'
import { SETTINGS_EVERY_MS, usePricing, useSettings } from './settings.ts'
import { useShop, useSold } from './shop.ts'

/** What decides whether anything can be ordered. */
interface Sale {
  readonly stockM: number
  readonly takesPreOrders: boolean
  /** The methods that take payments now. */
  readonly methods: readonly PaymentMethod[]
}

/** Current prices and stock. */
export interface Offer extends Sale {
  readonly unitPriceTenThousandths: number
  readonly packs: readonly Pack[]
  readonly inrPerUsd: number
  /** What the coins are called. */
  readonly coins: string
}

/** `offer` is undefined until price and settings are loaded. After an error it keeps the last known value. */
export function useOffer(settingsEveryMs = SETTINGS_EVERY_MS) {
  const pricing = usePricing()
  const settings = useSettings(settingsEveryMs)
  const shop = useShop()
  const { coins } = useSold()
  const error: unknown = pricing.error ?? settings.error
  const retry = () => {
    void pricing.mutate()
    void settings.mutate()
  }
  if (pricing.data === undefined || settings.data === undefined) return { offer: undefined, error, retry }
  const perMillion = pricing.data.pokecoinPriceUSDPerMillion
  const offer: Offer = {
    unitPriceTenThousandths: perMillion > 0 ? Math.round(perMillion * 10_000) : unitPriceIn(settings.data),
    packs: packsOf(settings.data),
    inrPerUsd: pricing.data.inrPerUsd > 0 ? pricing.data.inrPerUsd : (shop?.inrPerUsd ?? 0),
    ...saleIn(settings.data),
    coins,
  }
  return { offer, error, retry }
}

export function unitPriceIn({ basePricePerMillion, bulkDiscountPercent }: PaymentSettings): number {
  return unitPrice({ basePriceCents: Math.round(basePricePerMillion * 100), bulkDiscountPercent })
}

export function saleIn({ currentStock, preOrdersEnabled, methods }: PaymentSettings): Sale {
  return { stockM: currentStock, takesPreOrders: preOrdersEnabled, methods }
}

/** The pack's discount, or 0 if it is lost in rounding to cents. */
export function savedPercent(offer: Pick<Offer, 'unitPriceTenThousandths' | 'packs'>, quantityM: number): number {
  const { totalCents, discountPercent } = quote(offer, quantityM)
  return totalCents < quote({ ...offer, packs: [] }, quantityM).totalCents ? discountPercent : 0
}

/** Nothing can be ordered: no way to pay, or no stock and no pre-orders. */
export function isClosed(sale: Sale): boolean {
  return sale.methods.length === 0 || !canBuy(sale, 1)
}

export function canBuy(sale: Pick<Sale, 'stockM' | 'takesPreOrders'>, quantityM: number): boolean {
  return quantityM <= sale.stockM || sale.takesPreOrders
}

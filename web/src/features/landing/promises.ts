import type { DeliveryMode } from '#contract/order.ts'
import type { PaymentSettings } from '#contract/settings.ts'
import { packsOf } from '#pricing'
import { claims } from '../../claims.ts'

interface Known {
  readonly deliveryMode: DeliveryMode | undefined
  readonly settings: PaymentSettings | undefined
}

/** Promises that hold for this shop now. Those that need loaded data come last, so that they shift nothing. */
export function promisesOf({ deliveryMode, settings }: Known): string[] {
  const percent = settings === undefined ? 0 : largestDiscount(settings)
  const bulk = percent > 0 ? claims.bulk.replace('{percent}', String(percent)) : ''
  return [claims.support, bulk, delivery(deliveryMode, settings)].filter((text) => text !== '')
}

/** Does not promise seconds if pre-orders wait for days. */
function delivery(mode: DeliveryMode | undefined, settings: PaymentSettings | undefined): string {
  const isFast = mode === 'instant' || mode === 'webhook'
  if (isFast && settings?.preOrdersEnabled === false) return claims.delivery
  const typically = `Delivery ${claims.deliveryTypically}`
  return settings?.preOrdersEnabled === true ? `${typically}, pre-orders within ${claims.preOrder}` : typically
}

/** The largest discount off the base price in whole percent, rounded down. */
export function largestDiscount(settings: PaymentSettings): number {
  const left = 100 - Math.max(...packsOf(settings).map((pack) => pack.discountPercent))
  return Math.floor((10_000 - (100 - settings.bulkDiscountPercent) * left) / 100)
}

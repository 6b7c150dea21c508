import type { DeliveryMode } from '#contract/order.ts'
import type { PaymentSettings } from '#contract/settings.ts'
import { packsOf } from '#pricing'
import { claims } from '../../claims.ts'

interface Known {
  readonly deliveryMode: DeliveryMode | undefined
  readonly settings: PaymentSettings | undefined
}

/** Only what holds for this shop as it is now. What depends on its answers stands last and shifts nothing. */
export function promisesOf({ deliveryMode, settings }: Known): string[] {
  const percent = settings === undefined ? 0 : largestDiscount(settings)
  const bulk = percent > 0 ? claims.bulk.replace('{percent}', String(percent)) : ''
  return [claims.support, bulk, delivery(deliveryMode, settings)].filter((text) => text !== '')
}

/** No seconds are promised where a pre-order waits for days. */
function delivery(mode: DeliveryMode | undefined, settings: PaymentSettings | undefined): string {
  const isFast = mode === 'instant' || mode === 'webhook'
  if (isFast && settings?.preOrdersEnabled === false) return claims.delivery
  const typically = `Delivery ${claims.deliveryTypically}`
  return settings?.preOrdersEnabled === true ? `${typically}, pre-orders within ${claims.preOrder}` : typically
}

/** Off the base price, in whole percent, rounded down. */
export function largestDiscount(settings: PaymentSettings): number {
  const left = 100 - Math.max(...packsOf(settings).map((pack) => pack.discountPercent))
  return Math.floor((10_000 - (100 - settings.bulkDiscountPercent) * left) / 100)
}

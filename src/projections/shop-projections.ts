import { analyticsProjection } from './analytics.ts'
import { customersProjection } from './customers.ts'
import { ordersProjection } from './orders.ts'
import { paymentsProjection } from './payments.ts'
import type { Projection } from './projection.ts'

/** Every view of the shop. */
export function shopProjections(options: { timeZone: string }): Projection[] {
  return [ordersProjection, customersProjection, analyticsProjection(options), paymentsProjection]
}

import type { ShopEventType } from '../domain/events.ts'
import { analyticsProjection } from './analytics.ts'
import { customersProjection } from './customers.ts'
import { ordersProjection } from './orders.ts'
import { paymentsProjection } from './payments.ts'
import type { Projection } from './projection.ts'
import { reservationsProjection } from './reservations.ts'

/** Every view of the shop. */
export function shopProjections(options: { timeZone: string }): Projection[] {
  return [
    ordersProjection,
    customersProjection,
    analyticsProjection(options),
    reservationsProjection,
    paymentsProjection,
  ]
}

/** Used by hot states, at the start or on request, but by no view. */
export const eventsWithoutView: readonly ShopEventType[] = [
  'StockSet',
  'StockAdjusted',
  'SettingsChanged',
  'ProductCreated',
  'ProductChanged',
  'ProductDeleted',
  'AdminPasswordSet',
  'SessionStarted',
  'SessionEnded',
  'ShopOpened',
  'LostEventsAccepted',
  'PersonalDataRevealed',
  'SerialsSkipped',
]

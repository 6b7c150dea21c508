import { expect, it } from 'vitest'
import { eventFormats, type ShopEventType } from '../domain/events.ts'
import type { UnreadableEvent } from '../log/event-log.ts'
import type { Projection } from './projection.ts'
import { shopProjections } from './shop-projections.ts'
import { recorded } from '../projector/testing/clean-fold.ts'
import { samples, shopEventTypes } from './testing/samples.ts'

/** Used by hot states, at the start or on request, but by no view. */
const eventsWithoutView: readonly ShopEventType[] = [
  'StockSet',
  'StockAdjusted',
  'StockReserved',
  'StockReleased',
  'StockCommitted',
  'SettingsChanged',
  'ProductCreated',
  'ProductChanged',
  'ProductDeleted',
  'AdminPasswordSet',
  'SecondFactorRequired',
  'SecondFactorRemoved',
  'SessionStarted',
  'SessionConfirmed',
  'SessionEnded',
  'ShopOpened',
  'LostEventsAccepted',
  'PersonalDataRevealed',
  'SerialsSkipped',
]

const projections = shopProjections({ timeZone: 'Asia/Kolkata' })

function typesSeenBy(projection: Projection): ShopEventType[] {
  return shopEventTypes.filter((type) => recorded(samples[type]).some((event) => projection.keys(event).length > 0))
}

function unreadable(stream: string, storedType: string): UnreadableEvent {
  const metadata = { correlationId: 'request', causationId: null, actor: 'buyer' } as const
  const place = { stream, revision: 0, position: '1', recordedAt: 0, id: 'event' }
  return { ...place, metadata, type: 'unreadable', storedType, reason: 'damaged' }
}

function touched(stream: string, storedType: string): Record<string, readonly string[]> {
  const event = unreadable(stream, storedType)
  return Object.fromEntries(projections.map((projection) => [projection.name, projection.keys(event)]))
}

it('every event has a sample', () => {
  expect([...shopEventTypes].sort()).toEqual([...eventFormats.keys()].sort())
})

it('every event is in a view or listed as one without', () => {
  const seen = new Set(projections.flatMap(typesSeenBy))
  expect(shopEventTypes.filter((type) => !seen.has(type)).sort()).toEqual([...eventsWithoutView].sort())
})

it('events without a view change no document', () => {
  for (const projection of projections)
    for (const type of eventsWithoutView)
      for (const event of recorded(samples[type]))
        expect(projection.evolve({ id: 'some', body: undefined, isTombstone: false, opened: undefined }, event)).toBe(
          undefined,
        )
})

it('the views name every document that an unreadable event may have changed', () => {
  expect(touched('order-1', 'OrderCompleted')).toEqual({
    orders: ['1'],
    customers: [],
    analytics: ['totals'],
    payments: [],
  })
  expect(touched('order-1', 'OrderPlaced')).toMatchObject({ customers: ['order-1:0'], analytics: ['totals'] })
  expect(touched('receipt-upi-abc', 'ReceiptClaimed')).toMatchObject({ payments: ['receipt-upi-abc'] })
  expect(touched('customers-erased', 'CustomerErased')).toMatchObject({ customers: ['customers-erased:0'] })
  expect(touched('settings-shop', 'SettingsChanged')).toMatchObject({ orders: [] })
})

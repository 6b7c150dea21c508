import { customerEvents } from '../../domain/customer/events.ts'
import { inventoryEvents } from '../../domain/inventory/events.ts'
import { attentionReasons } from '../../domain/words.ts'
import { orderEvents } from '../../domain/order/events.ts'
import { receiptEvents } from '../../domain/receipt/events.ts'
import type { RefusalCode } from '../../domain/refusal.ts'
import { stateRows } from './state-rows.ts'

const refusals: readonly RefusalCode[] = [
  'order/not-found',
  'order/key-reused',
  'order/busy',
  'order/not-pending',
  'order/money-seen',
  'order/already-paid',
  'order/not-paid',
  'order/not-approvable',
  'order/price-changed',
  'order/total-zero',
  'order/coins-given-unknown',
  'order/changed',
  'order/no-payment',
  'order/refund-too-large',
  'market-ids/wrong',
  'inventory/insufficient-stock',
  'inventory/below-zero',
  'inventory/too-many-open',
  'payment/method-off',
  'payment/wrong-amount',
  'payment/amount-out-of-range',
  'payment/unknown',
  'payment/not-approved',
  'settings/changed',
  'customer/not-found',
  'customer/has-open-orders',
]

/** No events are lost, and no older copy of the vault is put back. */
const notReached = new Set(['SerialsSkipped', 'DeliveryHeld'])
const notRaised = new Set(['buyer-unreadable'])

/** What a good number of seeds must reach: anything else is a hole in the simulation. */
export const expectedCoverage: Readonly<Record<string, readonly string[]>> = {
  events: [orderEvents, inventoryEvents, receiptEvents, customerEvents]
    .flatMap((events) => Object.keys(events))
    .filter((type) => !notReached.has(type)),
  refusals,
  states: stateRows,
  attention: attentionReasons.filter((reason) => !notRaised.has(reason)),
  machines: ['events of others in between', 'a clock that goes back', 'an append that lands later'],
  policies: [
    'check-payments-newest',
    'check-payments',
    'finish-receipts',
    'deliver-paid-orders',
    'reinstate-late-orders',
    'reserve-paid-pre-orders',
    'expire-unpaid-orders',
    'end-abandoned-reservations',
    'finish-erasures',
  ],
}

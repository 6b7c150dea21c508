import type { ShopEvent, ShopEventType } from '../../domain/events.ts'
import { adminId, minute, orderId, orderSamples } from '../../domain/testing/order-samples.ts'

const at = minute(1)
const by = { adminId, at }
const facts = {
  provider: 'crypto',
  receiptId: 'receipt-1',
  orderId,
  attempt: 1,
  amount: '0.1',
  currency: 'ltc',
  askedAmount: '0.1',
  at,
}
export const product = { name: 'Starter', description: '', quantityM: 10, active: true, position: 1 }
const reservation = { orderId, serial: 7, quantityM: 200, at }

/** One event of every type. */
export const samples = {
  ...orderSamples,
  StockSet: { type: 'StockSet', data: { quantityM: 500, at } },
  StockAdjusted: { type: 'StockAdjusted', data: { differenceM: 5, editKey: null, ...by } },
  StockReserved: { type: 'StockReserved', data: { ...reservation, claimAt: 0 } },
  StockReleased: { type: 'StockReleased', data: reservation },
  StockCommitted: { type: 'StockCommitted', data: reservation },
  ReceiptClaimed: { type: 'ReceiptClaimed', data: facts },
  ReceiptRefused: {
    type: 'ReceiptRefused',
    data: { ...facts, orderId: 'another-order', claimedByOrderId: orderId },
  },
  ReceiptUnplaced: {
    type: 'ReceiptUnplaced',
    data: { provider: 'crypto', receiptId: 'receipt-1', amount: '1', currency: 'ltc', reference: 'REFERENCE-1', at },
  },
  ReceiptUnplacedSettled: {
    type: 'ReceiptUnplacedSettled',
    data: { provider: 'crypto', receiptId: 'receipt-1', outcome: 'paid-back', adminId: 'owner', at },
  },
  SettingsChanged: { type: 'SettingsChanged', data: { changes: { basePriceCents: 5 }, ...by } },
  ProductCreated: { type: 'ProductCreated', data: { ...product, productId: 'product-1', ...by } },
  ProductChanged: { type: 'ProductChanged', data: { changes: { name: 'First' }, productId: 'product-1', ...by } },
  ProductDeleted: { type: 'ProductDeleted', data: { productId: 'product-1', ...by } },
  CustomerErased: { type: 'CustomerErased', data: { customerId: 'customer-1', ...by } },
  BuyerBlocked: { type: 'BuyerBlocked', data: { blockId: 'block-1', reason: 'chargeback', ...by } },
  BuyerUnblocked: { type: 'BuyerUnblocked', data: { blockId: 'block-1', ...by } },
  AdminPasswordSet: { type: 'AdminPasswordSet', data: { passwordId: 'password-1', ...by } },
  SecondFactorRequired: { type: 'SecondFactorRequired', data: { factorId: 'factor-1', ...by } },
  SecondFactorRemoved: { type: 'SecondFactorRemoved', data: { factorId: 'factor-1', ...by } },
  SessionStarted: {
    type: 'SessionStarted',
    data: { sessionId: 'session-1', isNewBrowser: true, expiresAt: minute(60), ...by },
  },
  PersonalDataRevealed: { type: 'PersonalDataRevealed', data: { what: 'orders', upTo: '9', at } },
  LostEventsAccepted: { type: 'LostEventsAccepted', data: { knownHead: '9', head: '7', at } },
  SerialsSkipped: { type: 'SerialsSkipped', data: { lastSerial: 900, at } },
  ShopOpened: { type: 'ShopOpened', data: { vaultId: 'vault-1', at } },
  SessionConfirmed: { type: 'SessionConfirmed', data: { sessionId: 'session-1', ...by } },
  SessionEnded: { type: 'SessionEnded', data: { sessionId: 'session-1', ...by } },
} as const satisfies { [Type in ShopEventType]: Extract<ShopEvent, { type: Type }> }

export const shopEventTypes = Object.keys(samples) as ShopEventType[]

import type { RefusalCode } from '../../domain/refusal.ts'

const paying = [
  'order/not-found',
  'order/not-pending',
  'order/busy',
  'order/already-paid',
  'order/buyer-unreadable',
  'order/too-many-changes',
  'payment/method-off',
  'payment/wrong-amount',
  'payment/amount-out-of-range',
] as const

const stale = 'admin/second-factor-required'
const codes = ['admin/wrong-code', 'admin/too-many-codes', 'admin/second-factor-lost'] as const

/** What is refused with 400 although it has a valid form, by field or refusal code: it depends on other fields or on the shop. */
export const refusedTogether: Readonly<Record<string, string>> = {
  asOf: 'a day that is not over, or before the shop began',
  'X-Position': 'a position far beyond the end of the log',
  cursor: 'a cursor that is not of this list',
  'market-ids/wrong': 'market IDs that do not add up to the quantity',
}

/** Refusal codes of each call, by its id; a test that gets another code fails. */
export const refusalsOf: Readonly<Record<string, readonly RefusalCode[]>> = {
  approveOrder: ['order/not-found', 'order/busy', 'order/not-approvable', 'inventory/insufficient-stock'],
  cancelOrder: ['order/not-found', 'order/not-yours', 'order/not-pending', 'order/busy', 'order/money-seen'],
  exportOrders: [stale],
  exportFoundOrders: [stale],
  confirmSession: codes,
  capturePaypalOrder: [
    'order/not-found',
    'order/not-pending',
    'order/busy',
    'order/already-paid',
    'order/no-payment',
    'payment/unknown',
    'payment/not-approved',
  ],
  changePassword: [stale, 'admin/wrong-password'],
  changeProduct: ['product/not-found'],
  changeSettings: ['settings/changed', 'settings/price-zero', 'inventory/below-zero'],
  choosePaymentMethod: [
    'order/not-found',
    'order/not-pending',
    'order/busy',
    'order/already-paid',
    'order/too-many-changes',
    'payment/method-off',
    'payment/amount-out-of-range',
  ],
  deleteOrder: ['order/not-found', 'order/busy', 'order/changed', 'order/coins-given-unknown'],
  deleteProduct: ['product/not-found'],
  endSessions: [stale],
  eraseCustomer: [stale, 'customer/has-open-orders', 'customer/not-found', 'customer/some-unreadable'],
  estimateCrypto: ['payment/method-off'],
  getCashfreeOrder: ['payment/unknown'],
  getCryptoMinimum: ['payment/method-off'],
  getCryptoPayment: ['payment/unknown'],
  getOrder: ['order/not-found'],
  getPaypalSetup: ['payment/method-off'],
  handOverOrder: [
    'order/not-found',
    'order/busy',
    'order/not-paid',
    'order/not-delivered',
    'inventory/insufficient-stock',
  ],
  listCoins: ['payment/method-off'],
  logIn: ['admin/wrong-credentials', 'admin/code-needed', ...codes],
  openCashfreeOrder: [...paying],
  openCryptoPayment: [...paying],
  openPaypalOrder: [...paying],
  openUpiPayment: [...paying],
  openOrder: ['order/not-found', 'order/link-ended'],
  placeOrder: [
    'order/key-reused',
    'order/price-changed',
    'order/total-zero',
    'order/too-many-open',
    'order/share-exceeded',
    'market-ids/wrong',
    'inventory/insufficient-stock',
    'inventory/too-many-open',
    'payment/method-off',
  ],
  recordRefund: [
    'order/not-found',
    'order/busy',
    'order/changed',
    'order/buyer-unreadable',
    'order/refund-too-large',
    'order/coins-given-unknown',
  ],
  settleAttention: ['order/not-found', 'order/busy', 'order/changed'],
  settleUnplacedPayment: ['receipt/not-unplaced'],
  testMessages: ['message/way-not-set', 'message/not-sent'],
  turnMessagesOn: ['message/switched-off'],
  startSecondFactor: ['admin/wrong-password', 'admin/second-factor-on'],
  turnSecondFactorOff: codes,
  turnSecondFactorOn: ['admin/second-factor-expired', 'admin/second-factor-on', ...codes],
}

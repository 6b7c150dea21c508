export type RefusalCode =
  | 'order/not-found'
  | 'order/key-reused'
  | 'order/busy'
  | 'order/not-pending'
  | 'order/money-seen'
  | 'order/already-paid'
  | 'order/not-paid'
  | 'order/not-delivered'
  | 'order/not-approvable'
  | 'order/price-changed'
  | 'order/total-zero'
  | 'order/coins-given-unknown'
  | 'order/changed'
  | 'order/too-many-open'
  | 'order/too-many-changes'
  | 'order/share-exceeded'
  | 'order/no-payment'
  | 'order/refund-too-large'
  | 'order/buyer-unreadable'
  | 'market-ids/wrong'
  | 'inventory/insufficient-stock'
  | 'inventory/below-zero'
  | 'inventory/too-many-open'
  | 'payment/method-off'
  | 'payment/wrong-amount'
  | 'payment/wrong-currency'
  | 'payment/amount-out-of-range'
  | 'payment/unknown'
  | 'payment/not-approved'
  | 'receipt/not-unplaced'
  | 'settings/changed'
  | 'settings/price-zero'
  | 'product/not-found'
  | 'admin/wrong-credentials'
  | 'admin/wrong-password'
  | 'admin/not-signed-in'
  | 'customer/has-open-orders'
  | 'customer/not-found'
  | 'customer/some-unreadable'

/** The rules said no. The message is fit for the person who asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  /** Facts that help the caller, e.g. a fresh quote. Plain JSON, no personal data. */
  readonly details: Readonly<Record<string, unknown>>
  constructor(code: RefusalCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

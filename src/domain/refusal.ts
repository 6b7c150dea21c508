/** What each code means to the caller. */
export const refusals = {
  'order/not-found': 'missing',
  'order/not-yours': 'forbidden',
  'order/link-ended': 'forbidden',
  'order/key-reused': 'conflict',
  'order/busy': 'conflict',
  'order/not-pending': 'conflict',
  'order/money-seen': 'conflict',
  'order/already-paid': 'conflict',
  'order/not-paid': 'conflict',
  'order/not-delivered': 'conflict',
  'order/not-approvable': 'conflict',
  'order/price-changed': 'conflict',
  'order/total-zero': 'conflict',
  'order/coins-given-unknown': 'conflict',
  'order/changed': 'conflict',
  'order/too-many-open': 'too-many',
  'order/too-many-changes': 'conflict',
  'order/share-exceeded': 'too-many',
  'order/not-accepted': 'forbidden',
  'order/no-payment': 'conflict',
  'order/refund-too-large': 'conflict',
  'order/refund-not-sent': 'conflict',
  'order/buyer-unreadable': 'conflict',
  'market-ids/wrong': 'wrong',
  'inventory/insufficient-stock': 'conflict',
  'inventory/below-zero': 'conflict',
  'inventory/too-many-open': 'later',
  'payment/method-off': 'conflict',
  'payment/wrong-amount': 'conflict',
  'payment/amount-out-of-range': 'conflict',
  'payment/unknown': 'missing',
  'payment/not-approved': 'conflict',
  'receipt/not-unplaced': 'conflict',
  'settings/changed': 'stale',
  'settings/price-zero': 'wrong',
  'product/not-found': 'missing',
  'admin/wrong-credentials': 'signed-out',
  'admin/wrong-password': 'forbidden',
  'admin/code-needed': 'signed-out',
  'admin/wrong-code': 'forbidden',
  'admin/second-factor-required': 'forbidden',
  'admin/too-many-codes': 'too-many',
  'admin/second-factor-on': 'conflict',
  'admin/second-factor-expired': 'conflict',
  'admin/second-factor-lost': 'conflict',
  'admin/not-signed-in': 'signed-out',
  'message/way-not-set': 'conflict',
  'message/not-sent': 'conflict',
  'message/switched-off': 'conflict',
  'customer/has-open-orders': 'conflict',
  'customer/not-found': 'missing',
  'customer/some-unreadable': 'conflict',
  'block/exists': 'conflict',
  'block/not-found': 'missing',
  'block/payer-unknown': 'conflict',
  'block/too-many': 'conflict',
} as const

export type RefusalCode = keyof typeof refusals
export type RefusalKind = (typeof refusals)[RefusalCode]

/** The rules forbid it. The message may be shown to the caller. */
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

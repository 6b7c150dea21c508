/**
 * The first seed that finds the disaster of each rule that is switched off, in worlds of the rule's own theme. They move when the product changes;
 * `npm run simulate -- --without all` tells them anew.
 */
export const foundBySeed: Readonly<Record<string, number>> = {
  'ids-from-the-request': 212,
  'release-by-serial': 49,
  'commit-by-serial': 152,
  'order-ends-first': 3,
  fence: 71,
  'release-behind-a-fence': 188,
  'stays-while-held': 9,
  'committed-only-if-held': 636,
  'own-coins-first': 283,
  'never-an-unclaimed-one': 43,
  'recorded-payment-answered': 125,
  'every-payment-is-watched': 14,
  'last-look-after-the-deadline': 118,
  'a-receipt-pays-one-order': 109,
  'claims-are-finished': 70,
  'same-news-adds-nothing': 8,
  'news-goes-to-the-owner': 182,
  'growth-is-received': 18,
  'receipt-and-reversal-together': 143,
  'nothing-delivered-after-a-reversal': 128,
  'capture-only-what-is-approved': 8,
  'nothing-ends-while-capturing': 76,
  'capture-is-given-up': 2,
  'capture-given-up-late': 1076,
  'settled-late-money-stays-settled': 470,
  'read-before-each-call': 128,
  'clock-last-before-each-call': 418,
  'nothing-ends-while-delivering': 8,
  'delivery-is-given-up': 3,
  'never-delivered-again-unasked': 8,
  'unknown-delivery-never-expires': 1,
  'staff-say-whether-coins-were-given': 8,
  'attention-in-the-same-append': 19,
  'settled-as-seen': 25,
  'pending-is-not-settled': 191,
  'no-silent-end': 90,
  'detached-first': 9,
  'claims-are-waited-for': 155,
  'key-read-behind-the-reservation': 53,
  'orders-from-a-caught-up-view': 1,
  'orders-are-looked-at': 1,
  'the-last-eraser-decides': 1154,
  'erased-in-the-log-first': 5,
  'none-comes-back-without-its-buyer': 1030,
  'erasures-are-finished': 2,
}

interface RarelyReached {
  readonly table: string
  readonly row: string
  readonly theme: string
  readonly seed: number
}

/** What a thousand seeds may miss, and where it is met. */
export const rarelyReached: readonly RarelyReached[] = [
  { table: 'attention', row: 'delivered-after-end', theme: 'late answers', seed: 101 },
  { table: 'refusals', row: 'order/no-payment', theme: 'captures', seed: 9 },
  { table: 'refusals', row: 'order/coins-given-unknown', theme: 'unknown deliveries', seed: 37 },
  { table: 'refusals', row: 'payment/unknown', theme: 'captures', seed: 9 },
  { table: 'refusals', row: 'order/total-zero', theme: 'anything', seed: 245 },
  { table: 'refusals', row: 'payment/amount-out-of-range', theme: 'anything', seed: 405 },
  { table: 'events', row: 'PreOrderReserved', theme: 'pre-orders', seed: 3 },
  { table: 'events', row: 'ReceiptRefused', theme: 'shared receipts', seed: 29 },
  { table: 'attention', row: 'receipt-refused', theme: 'shared receipts', seed: 29 },
  { table: 'policies', row: 'reserve-paid-pre-orders', theme: 'pre-orders', seed: 127 },
]

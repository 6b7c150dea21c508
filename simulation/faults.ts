/** All faults of the world. Each seed draws which of them occur, and how often. */
export const faultNames = [
  'crash',
  'stopped-thread',
  'ambiguous-append',
  'late-append',
  'store-away',
  'stock-away',
  'vault-away',
  'slow-vault',
  'views-away',
  'provider-away',
  'lost-reply',
  'capture-away',
  'capture-silent',
  'bot-away',
  'bot-silent',
  'parked-calls',
  'slow-calls',
  'stalls',
  'stale-news',
  'shared-receipt',
] as const

export type FaultName = (typeof faultNames)[number]

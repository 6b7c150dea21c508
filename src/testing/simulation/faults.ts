/** Everything that can go wrong with the world. Each seed draws which of them it has, and how often. */
export const faultNames = [
  'crash',
  'stopped-thread',
  'ambiguous-append',
  'late-append',
  'store-away',
  'vault-away',
  'views-away',
  'provider-away',
  'lost-reply',
  'parked-calls',
  'stale-news',
  'two-runners',
  'shared-receipt',
] as const

export type FaultName = (typeof faultNames)[number]

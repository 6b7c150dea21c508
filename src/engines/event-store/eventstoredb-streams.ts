/** What stands before the first dash of the shop's own streams. All others on the server are passed over. */
const CATEGORIES = ['admin', 'customers', 'order', 'product', 'receipt', 'settings', 'shop', 'stock'] as const

/** The streams of one shop, by their names on a server that it may share with other shops. */
export interface ServerStreams {
  /** How the names of all streams with events begin. */
  readonly beginnings: readonly string[]
  named(stream: string): string
  /** What the shop calls a stream on the server; undefined for one of others. */
  ownName(streamId: string): string | undefined
  /** Names this log; none of its events. */
  readonly identity: string
}

/** `order-<id>`, or with a prefix `prefix.order-<id>`, so that the server's category of it is `prefix.order`. */
export function serverStreams(prefix: string): ServerStreams {
  const before = prefix === '' ? '' : `${prefix}.`
  const beginnings = CATEGORIES.map((category) => `${before}${category}-`)
  const isOurs = (streamId: string): boolean => beginnings.some((beginning) => streamId.startsWith(beginning))
  return {
    beginnings,
    named: (stream) => before + stream,
    ownName: (streamId) => (isOurs(streamId) ? streamId.slice(before.length) : undefined),
    identity: `${before}coinshop-log`,
  }
}

/** Names of one shop's streams on a server that other shops may share; all other streams are skipped. */
export interface ServerStreams {
  /** What the names of the shop's streams start with, one for each category. */
  readonly beginnings: readonly string[]
  /** The server's name of one of the shop's streams. */
  serverName(stream: string): string
  /** The shop's name of a stream on the server; undefined if not this shop's. */
  ownName(streamId: string): string | undefined
  /** The server's name of the stream that holds the log's identity, outside the log. */
  readonly identity: string
}

/** `order-<id>`, or with a prefix `prefix.order-<id>`, whose category on the server is `prefix.order`. */
export function serverStreams(prefix: string, categories: readonly string[]): ServerStreams {
  const before = prefix === '' ? '' : `${prefix}.`
  const beginnings = categories.map((category) => `${before}${category}-`)
  const isOurs = (streamId: string): boolean => beginnings.some((beginning) => streamId.startsWith(beginning))
  return {
    beginnings,
    serverName: (stream) => before + stream,
    ownName: (streamId) => (isOurs(streamId) ? streamId.slice(before.length) : undefined),
    identity: `${before}coinshop-log`,
  }
}

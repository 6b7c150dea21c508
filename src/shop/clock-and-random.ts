export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

export interface Random {
  /** Unguessable, and sortable by time, so that engines store neighbouring writes side by side. */
  uuid(): string
  bytes(count: number): Uint8Array
  /** From 0 to below 1. */
  fraction(): number
}

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

export interface Random {
  /** Nobody can guess it. Those made one after another sort that way, so that an engine keeps side by side what is written together. */
  uuid(): string
  bytes(count: number): Uint8Array
  /** From 0 up to, not including, 1. */
  fraction(): number
}

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

/** The minimum difference between this clock and a remote one, read after `askedAt`, that has just answered. */
export function clockOffMs(answeredMs: number, askedAt: number): number {
  return Math.round(Math.max(0, askedAt - answeredMs, answeredMs - Date.now()))
}

export interface Random {
  /** Unguessable, and sortable by time, so that engines store consecutive writes together. */
  uuid(): string
  bytes(count: number): Uint8Array
  /** From 0 to below 1. */
  fraction(): number
}

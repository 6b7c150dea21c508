import type { LimitStore } from './limit-store.ts'
import { networkRateLimit } from './network-rate-limit.ts'

const WINDOW_S = 60
const CALLS_MAX = 60
/** A purchase takes about five calls, and a mobile network has many buyers behind one address. */
const WRITES_MAX = 240

/** Rate limits per network. */
export type CallLimit = (networks: readonly string[]) => Promise<void>

/** For calls that make the shop call a payment provider. */
export function callLimit(store: LimitStore): CallLimit {
  const calls = networkRateLimit(store, { name: 'calls', max: CALLS_MAX, windowS: WINDOW_S })
  return async (networks) => calls.consume(networks)
}

/** For calls that may write, by callers without a session. */
export function writeLimit(store: LimitStore): CallLimit {
  const writes = networkRateLimit(store, { name: 'writes', max: WRITES_MAX, windowS: WINDOW_S })
  return async (networks) => writes.consume(networks)
}

export const noCallLimit: CallLimit = async () => undefined

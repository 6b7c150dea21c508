import { RateLimiterMemory } from 'rate-limiter-flexible'
import { consume } from './login-limit.ts'

const WINDOW_S = 60
const PER_ADDRESS_MAX = 60

/** How often one address may make the shop call a payment provider. */
export type CallLimit = (address: string) => Promise<void>

export function callLimit(): CallLimit {
  const limiter = new RateLimiterMemory({ points: PER_ADDRESS_MAX, duration: WINDOW_S })
  return async (address) => consume(limiter, address)
}

export const noCallLimit: CallLimit = async () => undefined

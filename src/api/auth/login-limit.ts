import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { RequestError } from '../errors.ts'

const WINDOW_S = 15 * 60
const PER_ADDRESS_MAX = 10
/** Wide: a stranger must not be able to lock the owner out for long. */
const PER_ACCOUNT_MAX = 100

export interface LoginLimit {
  /** Counts a try before the password is looked at, so that many at once are no way around. */
  count(address: string, account: string): Promise<void>
  /** The tries of this address were the owner's own. */
  forgive(address: string): Promise<void>
}

export function loginLimit(): LoginLimit {
  const perAddress = new RateLimiterMemory({ points: PER_ADDRESS_MAX, duration: WINDOW_S })
  const perAccount = new RateLimiterMemory({ points: PER_ACCOUNT_MAX, duration: WINDOW_S })
  return {
    async count(address, account) {
      await consume(perAddress, address)
      await consume(perAccount, account.trim().toLowerCase())
    },
    async forgive(address) {
      await perAddress.delete(address)
    },
  }
}

export const noLoginLimit: LoginLimit = { count: async () => undefined, forgive: async () => undefined }

/** Takes one point, or tells when there will be one. */
export async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    throw new RequestError('request/too-many', 'Too many tries. Please wait a little.', {
      retryAfterS: Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
    })
  }
}

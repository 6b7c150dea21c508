import type { LimitStore } from './limit-store.ts'
import { networkRateLimit } from './network-rate-limit.ts'

const WINDOW_S = 15 * 60
const PER_ADDRESS_MAX = 10
/** From addresses without an earlier login. */
const PER_ACCOUNT_MAX = 100
const ADDRESS_KNOWN_S = 14 * 24 * 3_600

interface LoginCaller {
  readonly networks: readonly [string, ...string[]]
  /** A browser that the owner has logged in from. */
  readonly browserId: string | undefined
}

export interface LoginLimit {
  /** Counts an attempt before the password is checked, so that concurrent attempts cannot bypass the limit. */
  count(caller: LoginCaller, account: string): Promise<void>
  /** After a login: resets this caller's attempts, and its address counts as known. */
  reset(caller: LoginCaller): Promise<void>
}

/** Strangers' attempts never lock out the owner: a known browser has a count of its own, and a known address is not counted per account. */
export function loginLimit(store: LimitStore): LoginLimit {
  const perAddress = networkRateLimit(store, { name: 'logins', max: PER_ADDRESS_MAX, windowS: WINDOW_S })
  const perBrowser = store.rateLimit({ name: 'browsers', max: PER_ADDRESS_MAX, windowS: WINDOW_S })
  const perAccount = store.rateLimit({ name: 'accounts', max: PER_ACCOUNT_MAX, windowS: WINDOW_S })
  const known = store.rateLimit({ name: 'owner-addresses', max: 1, windowS: ADDRESS_KNOWN_S })
  return {
    async count({ networks, browserId }, account) {
      if (browserId !== undefined) {
        await perBrowser.consume(browserId)
        return
      }
      await perAddress.consume(networks)
      if ((await known.count(networks[0])) > 0) return
      await perAccount.consume(account.trim().toLowerCase())
    },
    async reset({ networks, browserId }) {
      if (browserId !== undefined) await perBrowser.reset(browserId)
      await perAddress.reset(networks)
      // A count keeps its first expiry; reset it, so that the days run from the last login.
      await known.reset(networks[0])
      await known.add(networks[0], 1)
    },
  }
}

export const noLoginLimit: LoginLimit = { count: async () => undefined, reset: async () => undefined }

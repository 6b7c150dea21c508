import type { LimitStore } from './limit-store.ts'
import { networkTries } from './network-tries.ts'

const WINDOW_S = 15 * 60
const PER_ADDRESS_MAX = 10
/** From addresses that the account has not been used from. */
const PER_ACCOUNT_MAX = 100
const ADDRESS_KNOWN_S = 14 * 24 * 3_600

interface LoginCaller {
  readonly networks: readonly [string, ...string[]]
  /** A browser that the owner has logged in from. */
  readonly browserId: string | undefined
}

export interface LoginLimit {
  /** Counts a try before the password is looked at, so that many at once are no way around. */
  count(caller: LoginCaller, account: string): Promise<void>
  /** The tries of this caller were the owner's own, and its address is one of his from now on. */
  forgive(caller: LoginCaller): Promise<void>
}

/** Tries of strangers never stop a browser or an address from which the owner has logged in: a browser is counted by itself, a known address without the account. */
export function loginLimit(store: LimitStore): LoginLimit {
  const perAddress = networkTries(store, { name: 'logins', max: PER_ADDRESS_MAX, windowS: WINDOW_S })
  const perBrowser = store.tries({ name: 'browsers', max: PER_ADDRESS_MAX, windowS: WINDOW_S })
  const perAccount = store.tries({ name: 'accounts', max: PER_ACCOUNT_MAX, windowS: WINDOW_S })
  const known = store.tries({ name: 'owner-addresses', max: 1, windowS: ADDRESS_KNOWN_S })
  return {
    async count({ networks, browserId }, account) {
      if (browserId !== undefined) {
        await perBrowser.take(browserId)
        return
      }
      await perAddress.take(networks)
      if ((await known.count(networks[0])) > 0) return
      await perAccount.take(account.trim().toLowerCase())
    },
    async forgive({ networks, browserId }) {
      if (browserId !== undefined) await perBrowser.forget(browserId)
      await perAddress.forget(networks)
      // A count keeps its first end: the days are counted from the last login.
      await known.forget(networks[0])
      await known.add(networks[0], 1)
    },
  }
}

export const noLoginLimit: LoginLimit = { count: async () => undefined, forgive: async () => undefined }

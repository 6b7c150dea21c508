import { normalisedEmail } from '../../shop/keys.ts'
import { Limit, type LimiterFor } from './limit.ts'

const WINDOW_S = 15 * 60
const PER_ADDRESS_MAX = 10
const PER_ACCOUNT_MAX = 100

interface LoginCaller {
  readonly networks: readonly [string, ...string[]]
  /** A browser that the owner has logged in from. */
  readonly browserId: string | undefined
}

/** Strangers' attempts never lock out the owner, whose known browsers are counted separately. */
export function loginLimit(limiterFor: LimiterFor | undefined) {
  const perAddress = new Limit(limiterFor, { name: 'logins', max: PER_ADDRESS_MAX, windowS: WINDOW_S })
  const perBrowser = new Limit(limiterFor, { name: 'browsers', max: PER_ADDRESS_MAX, windowS: WINDOW_S })
  const perAccount = new Limit(limiterFor, { name: 'accounts', max: PER_ACCOUNT_MAX, windowS: WINDOW_S })
  return {
    /** Counts an attempt before the password is checked, so that concurrent attempts cannot bypass the limit. */
    async count({ networks, browserId }: LoginCaller, account: string): Promise<void> {
      if (browserId !== undefined) return perBrowser.consume([browserId])
      await perAddress.consume(networks)
      await perAccount.consume([normalisedEmail(account)])
    },
    /** After a login: resets this caller's attempts. */
    async reset({ networks, browserId }: LoginCaller): Promise<void> {
      if (browserId !== undefined) await perBrowser.reset([browserId])
      await perAddress.reset(networks)
    },
  }
}

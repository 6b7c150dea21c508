import type { LimitStore } from './limit-store.ts'

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

export function loginLimit(store: LimitStore): LoginLimit {
  const perAddress = store.tries({ name: 'logins', max: PER_ADDRESS_MAX, windowS: WINDOW_S })
  const perAccount = store.tries({ name: 'accounts', max: PER_ACCOUNT_MAX, windowS: WINDOW_S })
  return {
    async count(address, account) {
      await perAddress.take(address)
      await perAccount.take(account.trim().toLowerCase())
    },
    forgive: async (address) => perAddress.forget(address),
  }
}

export const noLoginLimit: LoginLimit = { count: async () => undefined, forgive: async () => undefined }

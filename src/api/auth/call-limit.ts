import type { LimitStore } from './limit-store.ts'

const WINDOW_S = 60
const PER_ADDRESS_MAX = 60

/** How often one address may make the shop call a payment provider. */
export type CallLimit = (address: string) => Promise<void>

export function callLimit(store: LimitStore): CallLimit {
  const perAddress = store.tries({ name: 'calls', max: PER_ADDRESS_MAX, windowS: WINDOW_S })
  return async (address) => perAddress.take(address)
}

export const noCallLimit: CallLimit = async () => undefined

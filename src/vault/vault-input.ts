import { type CustomerKey, VaultDamaged } from './vault.ts'

export const KEY_BYTES = 32
const CUSTOMER_IDS_MAX = 1_000

export function checkCandidate({ customerId, key }: CustomerKey): void {
  if (customerId === '') throw new TypeError('A customer needs an id')
  if (key.length !== KEY_BYTES) throw new TypeError(`A customer's key has ${KEY_BYTES} bytes, not ${key.length}`)
}

export function checkCustomerIds(customerIds: readonly string[]): void {
  if (customerIds.length > CUSTOMER_IDS_MAX) {
    throw new RangeError(`At most ${CUSTOMER_IDS_MAX} customers at once, not ${customerIds.length}`)
  }
}

/** Two customers under one key or id could never be erased apart. */
export class CustomerIdTaken extends Error {
  override readonly name = 'CustomerIdTaken'
}

/** Of a vault that is only read; any other makes it. */
export function secretMissing(name: string): VaultDamaged {
  return new VaultDamaged(`the vault has no secret '${name}': it is not the vault of this shop`)
}

import { CustomerIdTaken, checkCandidate, checkCustomerIds } from './vault-input.ts'
import { VaultAway } from './vault.ts'
import type { CustomerKey, PasswordHash, Vault } from './vault.ts'

interface Row extends CustomerKey {
  emailHmac: string | undefined
}

/** Keys in this process alone, gone when it ends: for simulations and fast tests. Callers get copies. */
export function memoryVault(): Vault {
  const customers = new Map<string, Row>()
  const secrets = new Map<string, Uint8Array>()
  const passwords = new Map<string, PasswordHash>()
  let isClosed = false

  function refuseWhenClosed(): void {
    if (isClosed) throw new VaultAway('The vault is closed')
  }

  function customerWith(emailHmac: string): Row | undefined {
    return customers.values().find((row) => row.emailHmac === emailHmac)
  }

  return {
    async customerByEmail(emailHmac, candidate) {
      refuseWhenClosed()
      checkCandidate(candidate)
      const { customerId, key } = customerWith(emailHmac) ?? added(emailHmac, candidate)
      return { customerId, key: key.slice() }
    },

    async keysOf(customerIds) {
      refuseWhenClosed()
      checkCustomerIds(customerIds)
      const keys = new Map<string, Uint8Array>()
      for (const customerId of customerIds) {
        const row = customers.get(customerId)
        if (row) keys.set(customerId, row.key.slice())
      }
      return keys
    },

    async detachEmail(customerId) {
      refuseWhenClosed()
      const row = customers.get(customerId)
      const emailHmac = row?.emailHmac
      if (row) row.emailHmac = undefined
      return emailHmac
    },

    async attachEmail(customerId, emailHmac) {
      refuseWhenClosed()
      const row = customers.get(customerId)
      if (!row) return false
      if (row.emailHmac === undefined && !customerWith(emailHmac)) row.emailHmac = emailHmac
      return row.emailHmac === emailHmac
    },

    async deleteCustomer(customerId) {
      refuseWhenClosed()
      customers.get(customerId)?.key.fill(0)
      customers.delete(customerId)
    },

    async secret(name, candidate) {
      refuseWhenClosed()
      const kept = secrets.get(name) ?? candidate.slice()
      secrets.set(name, kept)
      return kept.slice()
    },

    async passwordHash(adminId) {
      refuseWhenClosed()
      return passwords.get(adminId)
    },

    async setPasswordHash(adminId, { passwordId, hash }, { replaces }) {
      refuseWhenClosed()
      if (passwords.get(adminId)?.passwordId !== replaces) return false
      passwords.set(adminId, { passwordId, hash })
      return true
    },

    async close() {
      isClosed = true
    },
  }

  function added(emailHmac: string, { customerId, key }: CustomerKey): Row {
    if (customers.has(customerId)) throw new CustomerIdTaken(`There is a customer ${customerId} already`)
    const row = { customerId, key: key.slice(), emailHmac }
    customers.set(customerId, row)
    return row
  }
}

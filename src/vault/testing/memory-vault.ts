import { CustomerIdTaken, checkCandidate, checkCustomerIds } from '../vault-input.ts'
import { VaultAway } from '../vault.ts'
import type { CustomerKey, Erasure, PasswordHash, Vault } from '../vault.ts'

interface Row extends CustomerKey {
  readonly emailHmac: string
  erasure: (Erasure & { isDecided: boolean }) | undefined
}

/** In memory only, for simulations and fast tests. Callers get copies. */
// oxlint-disable-next-line max-lines-per-function -- the port's short methods over four maps
export function memoryVault(): Vault {
  const customers = new Map<string, Row | 'erased'>()
  const secrets = new Map<string, Uint8Array>()
  const passwords = new Map<string, PasswordHash>()
  const marks = new Map<string, string>()
  let isClosed = false

  function refuseWhenClosed(): void {
    if (isClosed) throw new VaultAway('The vault is closed')
  }

  function rows(): Row[] {
    return [...customers.values()].filter((row) => row !== 'erased')
  }

  function attached(emailHmac: string): Row | undefined {
    return rows().find((row) => row.emailHmac === emailHmac && !row.erasure)
  }

  function underErasure(customerId: string, erasureId: string): Row | undefined {
    return rows().find((row) => row.customerId === customerId && row.erasure?.erasureId === erasureId)
  }

  return {
    async customerByEmail(emailHmac, candidate) {
      refuseWhenClosed()
      checkCandidate(candidate)
      const { customerId, key } = attached(emailHmac) ?? added(emailHmac, candidate)
      return { customerId, key: key.slice() }
    },

    async keysOf(customerIds) {
      refuseWhenClosed()
      checkCustomerIds(customerIds)
      const keys = new Map<string, Uint8Array | 'erased'>()
      for (const customerId of customerIds) {
        const row = customers.get(customerId)
        if (row) keys.set(customerId, row === 'erased' ? row : row.key.slice())
      }
      return keys
    },

    async customersByEmail(emailHmac) {
      refuseWhenClosed()
      return rows()
        .filter((row) => row.emailHmac === emailHmac)
        .map(({ customerId }) => customerId)
    },

    async detachEmail(customerId, { erasureId, at }) {
      refuseWhenClosed()
      const row = rows().find((row) => row.customerId === customerId)
      if (!row) return false
      row.erasure = { erasureId, at, isDecided: row.erasure?.isDecided ?? false }
      return true
    },

    async attachEmail(customerId, erasureId) {
      refuseWhenClosed()
      const row = underErasure(customerId, erasureId)
      if (!row || row.erasure?.isDecided || attached(row.emailHmac)) return false
      row.erasure = undefined
      return true
    },

    async decideErasure(customerId, erasureId) {
      refuseWhenClosed()
      const erasure = underErasure(customerId, erasureId)?.erasure
      if (erasure) erasure.isDecided = true
      return erasure !== undefined
    },

    async detached({ before, limit }) {
      refuseWhenClosed()
      const begun = rows().flatMap(({ customerId, erasure }) => (erasure ? [{ customerId, at: erasure.at }] : []))
      const due = begun.filter(({ at }) => at < before).toSorted((a, b) => a.at - b.at)
      return due.slice(0, limit).map(({ customerId }) => customerId)
    },

    async deleteCustomers(customerIds) {
      refuseWhenClosed()
      checkCustomerIds(customerIds)
      for (const customerId of customerIds) {
        const row = customers.get(customerId)
        if (row && row !== 'erased') row.key.fill(0)
        customers.set(customerId, 'erased')
      }
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

    async readMark(name) {
      refuseWhenClosed()
      return marks.get(name)
    },

    async raiseMark(name, value) {
      refuseWhenClosed()
      if (value > (marks.get(name) ?? '')) marks.set(name, value)
    },

    async setMark(name, value) {
      refuseWhenClosed()
      marks.set(name, value)
    },

    async close() {
      isClosed = true
    },
  }

  function added(emailHmac: string, { customerId, key }: CustomerKey): Row {
    if (customers.has(customerId)) throw new CustomerIdTaken(`There is a customer ${customerId} already`)
    const row: Row = { customerId, key: key.slice(), emailHmac, erasure: undefined }
    customers.set(customerId, row)
    return row
  }
}

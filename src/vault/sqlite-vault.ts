import { groupCommit } from '../sqlite/group-commit.ts'
import type { SqliteFile } from '../sqlite/sqlite-file.ts'
import { sqliteVaultFile, type VaultFileOptions } from './sqlite-vault-file.ts'
import {
  attach,
  customerByEmail,
  decide,
  detach,
  detachedIn,
  erase,
  erasureOf,
  forgetErasure,
  idsByEmail,
  insertedOrKnown,
  insertedSecret,
  keepMark,
  keysIn,
  markNamed,
  notErased,
  passwordOf,
  raiseMark,
  replacePassword,
  secretNamed,
} from './sqlite-vault-rows.ts'
import type { NewCustomer } from './sqlite-vault-rows.ts'
import { CustomerIdTaken, checkCandidate, checkCustomerIds, secretMissing } from './vault-input.ts'
import { VaultAway } from './vault.ts'
import type { CustomerKey, Vault } from './vault.ts'

const CUSTOMERS_WAITING_MAX = 10_000
const CUSTOMERS_PER_TRANSACTION_MAX = 500

/**
 * The vault in one SQLite file, for any number of processes of one machine. Nothing is cached, so that another
 * process's erasure counts here at once.
 */
export function sqliteVault(file: string, options: VaultFileOptions = {}): Vault {
  const vault = sqliteVaultFile(file, options)
  const unanswered = new Set<Promise<unknown>>()
  const newCustomers = groupCommit<NewCustomer, CustomerKey>({
    commit: (customers) =>
      vault.write((sql) => customers.map((customer) => insertedOrKnown(sql, customer) ?? idTaken(customer))),
    itemsMax: CUSTOMERS_PER_TRANSACTION_MAX,
  })
  let isClosed = false

  /** Keeps the file open until a call of several steps has ended. */
  async function toItsEnd<T>(call: () => Promise<T>): Promise<T> {
    if (isClosed) throw new VaultAway(`The vault ${file} is closed`)
    const answer = call()
    unanswered.add(answer)
    return answer.finally(() => unanswered.delete(answer))
  }

  return {
    async customerByEmail(emailHmac, candidate) {
      checkCandidate(candidate)
      if (unanswered.size >= CUSTOMERS_WAITING_MAX) throw new VaultAway(`Too many customers wait for ${file}`)
      return toItsEnd(async () => {
        const known = await vault.read((sql) => customerByEmail(sql, emailHmac))
        return known ?? newCustomers.add({ emailHmac, candidate })
      })
    },

    async keysOf(customerIds) {
      checkCustomerIds(customerIds)
      return vault.read((sql) => keysIn(sql, customerIds))
    },

    customersByEmail: async (emailHmac) => vault.read((sql) => idsByEmail(sql, emailHmac)),

    detachEmail: async (customerId, erasure) => vault.write((sql) => detach(sql, customerId, erasure)),

    attachEmail: async (customerId, erasureId) => vault.write((sql) => attach(sql, customerId, erasureId)),

    decideErasure: async (customerId, erasureId) => vault.write((sql) => decide(sql, customerId, erasureId)),

    detached: async (wanted) => vault.read((sql) => detachedIn(sql, wanted)),

    async deleteCustomers(customerIds) {
      checkCustomerIds(customerIds)
      await toItsEnd(() => deleteAndWipe(vault, customerIds))
    },

    async secret(name, candidate) {
      return toItsEnd(async () => {
        const kept = await vault.read((sql) => secretNamed(sql, name))
        if (!kept && options.isReadOnly) throw secretMissing(name)
        return kept ?? vault.write((sql) => secretNamed(sql, name) ?? insertedSecret(sql, name, candidate))
      })
    },

    passwordHash: async (adminId) => vault.read((sql) => passwordOf(sql, adminId)),

    setPasswordHash: async (adminId, hash, { replaces }) =>
      vault.write((sql) => replacePassword(sql, adminId, hash, replaces)),

    readMark: async (name) => vault.read((sql) => markNamed(sql, name)),

    raiseMark: async (name, value) => vault.write((sql) => raiseMark(sql, name, value)),

    setMark: async (name, value) => vault.write((sql) => keepMark(sql, name, value)),

    async close() {
      isClosed = true
      await Promise.allSettled(unanswered)
      await vault.close()
    },
  }
}

async function deleteAndWipe(vault: SqliteFile, customerIds: readonly string[]): Promise<void> {
  const left = await vault.read((sql) => notErased(sql, customerIds))
  if (left.length > 0) await vault.write((sql) => erase(sql, notErased(sql, left)))
  // Even if nothing was deleted now: an earlier call may have crashed here.
  if (customerIds.length > 0) await vault.wipe()
  // Last: until its bytes are wiped, the erasure stays listed as unfinished.
  const done = await vault.read((sql) => customerIds.filter((customerId) => erasureOf(sql, customerId)))
  if (done.length > 0) await vault.write((sql) => done.forEach((customerId) => forgetErasure(sql, customerId)))
}

function idTaken({ candidate }: NewCustomer): CustomerIdTaken {
  return new CustomerIdTaken(`There is a customer ${candidate.customerId} already`)
}

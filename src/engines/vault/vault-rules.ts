import { crc32 } from 'node:zlib'
import { inFlight } from '../../ports/in-flight.ts'
import {
  type CustomerKey,
  type Erasure,
  type PasswordHash,
  type Vault,
  VaultAway,
  VaultDamaged,
  type VaultNote,
} from './vault.ts'
import { findByAlias, type VaultRow, type VaultRows } from './vault-rows.ts'

const KEY_BYTES = 32
const IDS_MAX = 1_000
const CALLS_MAX = 10_000
/** Attempts of a change that loses to concurrent ones. */
const ATTEMPTS_MAX = 20
const ERASED = JSON.stringify('erased')

export function isErased({ kind, value }: Pick<VaultRow, 'kind' | 'value'>): boolean {
  return kind === 'customer' && value === ERASED
}

/** Two customers with one id could not be erased separately. */
class CustomerIdTaken extends Error {
  override readonly name = 'CustomerIdTaken'
}

/** Stored in one row, so that each step of an erasure is one write. */
interface Customer {
  readonly emailHmac: string
  readonly key: string
  readonly erasure?: Erasure & { readonly isDecided: boolean }
}

type Content = Omit<VaultRow, 'version' | 'checksum'>

/** The rules of every vault, on top of an engine's rows. */
// oxlint-disable-next-line max-lines-per-function -- the port's short methods over one set of rows
export function vaultOver(rows: VaultRows, { isReadOnly = false }: { readonly isReadOnly?: boolean } = {}): Vault {
  /** `close` waits for calls in progress. */
  const { run, close } = inFlight((why) => new VaultAway(`The vault ${why}`), CALLS_MAX)

  async function read(kind: VaultRow['kind'], id: string): Promise<VaultRow | undefined> {
    const [row] = await rows.read(kind, [id])
    return row && assertIntact(row)
  }

  /** The customer of new orders with this e-mail. */
  async function findAttached(emailHmac: string): Promise<VaultRow | undefined> {
    const row = await findByAlias(rows, { kind: 'customer', alias: emailHmac })
    return row && assertIntact(row)
  }

  async function write(content: Content, before: VaultRow | undefined): Promise<boolean> {
    return rows.write(withChecksum(content, (before?.version ?? 0) + 1), before ? before.version : 'absent')
  }

  /** Writes what `changed` returns. False if there is no such customer, or `changed` returns undefined. */
  async function change(
    customerId: string,
    changed: (customer: Customer) => Promise<Customer | undefined>,
  ): Promise<boolean> {
    return retryOnConflict(async () => {
      const row = await read('customer', customerId)
      if (!row || isErased(row)) return false
      const after = await changed(customerIn(row))
      if (!after) return false
      return (await write(contentOf(customerId, after), row)) || undefined
    })
  }

  /** Returns whether the row's old bytes may still be in the files, to be wiped. Also erases a damaged row. */
  async function erase(id: string): Promise<boolean> {
    return retryOnConflict(async () => {
      const [row] = await rows.read('customer', [id])
      if (row && isErased(row) && isIntact(row)) return row.since !== undefined
      // `since` marks the erasure as unfinished until the old bytes are wiped.
      const since = row && (row.since ?? 0)
      const isWritten = await write({ kind: 'customer', id, alias: undefined, since, value: ERASED }, row)
      return isWritten ? row !== undefined : undefined
    })
  }

  async function moveMark(name: string, value: string, mayMove: (from: string) => boolean): Promise<void> {
    await retryOnConflict(async () => {
      const row = await read('mark', name)
      if (!mayMove(row ? textIn(row) : '')) return true
      return (await write({ ...plain('mark', name), value: JSON.stringify(value) }, row)) || undefined
    })
  }

  return {
    async customerByEmail(emailHmac, { customerId, key }) {
      if (key.length !== KEY_BYTES) throw new TypeError(`A customer's key has ${KEY_BYTES} bytes, not ${key.length}`)
      const offered = withChecksum(contentOf(customerId, { emailHmac, key: textOf(key) }), 1)
      return run(() =>
        retryOnConflict(async () => {
          const row = await rows.findOrInsert({ ...offered, alias: emailHmac })
          if (row) return customerKeyIn(assertIntact(row))
          const [taken] = await rows.read('customer', [customerId])
          if (taken && taken.alias !== emailHmac) throw new CustomerIdTaken(`There is a customer ${customerId} already`)
          return undefined
        }),
      )
    },

    async keysOf(customerIds) {
      checkIds(customerIds)
      const found = await run(() => rows.read('customer', customerIds))
      return new Map(
        found
          .map(assertIntact)
          .map((row) => [row.id, isErased(row) ? 'erased' : bytesOf(customerIn(row).key)] as const),
      )
    },

    customersByEmail: (emailHmac) =>
      run(async () => (await rows.byAlias('customer', emailHmac)).map(assertIntact).map(({ id }) => id)),

    detachEmail: (customerId, { erasureId, at }) =>
      run(() =>
        change(customerId, async (customer) => ({
          ...customer,
          erasure: { erasureId, at, isDecided: customer.erasure?.isDecided ?? false },
        })),
      ),

    attachEmail: (customerId, erasureId) =>
      run(() =>
        change(customerId, async ({ erasure, ...customer }) => {
          if (erasure?.erasureId !== erasureId || erasure.isDecided) return undefined
          return (await findAttached(customer.emailHmac)) ? undefined : customer
        }),
      ),

    decideErasure: (customerId, erasureId) =>
      run(() =>
        change(customerId, async ({ erasure, ...customer }) =>
          erasure?.erasureId === erasureId ? { ...customer, erasure: { ...erasure, isDecided: true } } : undefined,
        ),
      ),

    detached: (wanted) => run(async () => (await rows.since('customer', wanted)).map(assertIntact).map(({ id }) => id)),

    async deleteCustomers(customerIds) {
      checkIds(customerIds)
      await run(async () => {
        const unwiped: string[] = []
        for (const id of new Set(customerIds)) if (await erase(id)) unwiped.push(id)
        if (unwiped.length === 0) return
        await rows.wipe()
        for (const id of unwiped)
          await retryOnConflict(async () => {
            const row = await read('customer', id)
            return (
              row?.since === undefined || (await write({ ...plain('customer', id), value: ERASED }, row)) || undefined
            )
          })
      })
    },

    secret: (name, candidate) =>
      run(() =>
        retryOnConflict(async () => {
          const kept = await read('secret', name)
          if (kept) return bytesOf(textIn(kept))
          if (isReadOnly) throw new VaultDamaged(`the vault has no secret '${name}': it is not the vault of this shop`)
          const value = JSON.stringify(textOf(candidate))
          return (await write({ ...plain('secret', name), value }, undefined)) ? candidate.slice() : undefined
        }),
      ),

    passwordHash: (adminId) =>
      run(async () => {
        const row = await read('password', adminId)
        return row && (JSON.parse(row.value) as PasswordHash)
      }),

    setPasswordHash: (adminId, { passwordId, hash }, { replaces }) =>
      run(async () => {
        const row = await read('password', adminId)
        const stored = row && (JSON.parse(row.value) as PasswordHash)
        if (stored?.passwordId !== replaces) return false
        return write({ ...plain('password', adminId), value: JSON.stringify({ passwordId, hash }) }, row)
      }),

    readMark: (name) =>
      run(async () => {
        const row = await read('mark', name)
        return row && textIn(row)
      }),

    raiseMark: (name, value) => run(() => moveMark(name, value, (from) => value > from)),

    setMark: (name, value) => run(() => moveMark(name, value, () => true)),

    notes(kind, ids) {
      checkIds(ids)
      return run(async () => (await rows.read(kind, ids)).map(noteIn))
    },

    dueNotes: (kind, wanted) => run(async () => (await rows.since(kind, wanted)).map(noteIn)),

    writeNote: (kind, { id, value, due }, was) =>
      run(() => {
        const content = { kind, id, alias: undefined, since: due, value: JSON.stringify(value) }
        return rows.write(withChecksum(content, was === 'absent' ? 1 : was + 1), was)
      }),

    deleteNote: (kind, { id, version }) => run(() => rows.delete(kind, id, version)),

    wipe: () => run(() => rows.wipe()),

    async close() {
      await close()
      await rows.close()
    },
  }
}

/** Retries while a concurrent change makes the attempt return undefined. */
async function retryOnConflict<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
    const result = await attempt()
    if (result !== undefined) return result
  }
  throw new VaultAway('Too many change this row of the vault at once')
}

function checkIds(ids: readonly string[]): void {
  if (ids.length > IDS_MAX) throw new RangeError(`At most ${IDS_MAX} ids at once, not ${ids.length}`)
}

const plain = (kind: VaultRow['kind'], id: string) => ({ kind, id, alias: undefined, since: undefined })

/** During an erasure the alias still begins with the e-mail's HMAC, but a new customer can use that e-mail. */
function contentOf(id: string, customer: Customer): Content {
  const { emailHmac, erasure } = customer
  const alias = erasure ? `${emailHmac} ${erasure.erasureId}` : emailHmac
  return { kind: 'customer', id, alias, since: erasure?.at, value: JSON.stringify(customer) }
}

function withChecksum(content: Content, version: number): VaultRow {
  const row = { ...content, version }
  return { ...row, checksum: checksumOf(row) }
}

/** Throws `VaultDamaged`, naming the row, if its checksum is wrong. */
function assertIntact(row: VaultRow): VaultRow {
  if (isIntact(row)) return row
  const wayOut = 'stop the shop, keep the vault (its keys are nowhere else) and restore a backup of it'
  throw new VaultDamaged(`The vault's ${row.kind} ${JSON.stringify(row.id)} is damaged: ${wayOut}`)
}

function isIntact(row: VaultRow): boolean {
  return row.checksum === checksumOf(row)
}

function checksumOf({ kind, id, alias, since, value, version }: Omit<VaultRow, 'checksum'>): number {
  return crc32(JSON.stringify([kind, id, alias, since, value, version]))
}

function customerIn(row: VaultRow): Customer {
  return JSON.parse(row.value) as Customer
}

function customerKeyIn(row: VaultRow): CustomerKey {
  return { customerId: row.id, key: bytesOf(customerIn(row).key) }
}

function noteIn(row: VaultRow): VaultNote {
  const { id, since, value, version } = assertIntact(row)
  return { id, value: JSON.parse(value), due: since, version }
}

function textIn(row: VaultRow): string {
  return JSON.parse(row.value) as string
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}

import type { Vault } from '../vault.ts'
import { aliasesOf, findThenInsert, type VaultRow, type VaultRows } from '../vault-rows.ts'
import { vaultOver } from '../vault-rules.ts'

/** The production rules over rows in memory, for simulations and fast tests. */
export function memoryVault(): Vault {
  return vaultOver(memoryVaultRows())
}

export function memoryVaultRows(): VaultRows {
  const rows = new Map<string, VaultRow>()
  const byAlias = new Map<string, VaultRow>()

  const memory: VaultRows = {
    read: async (kind, ids) => ids.flatMap((id) => rows.get(`${kind} ${id}`) ?? []),
    byAlias: async (kind, word) => {
      const [from, to] = aliasesOf(word)
      return [...rows.values()].filter(({ kind: its, alias = '' }) => its === kind && alias >= from && alias < to)
    },
    since: async (kind, { before, limit }) =>
      [...rows.values()]
        .filter((row) => row.kind === kind && row.since !== undefined && row.since < before)
        .toSorted((one, other) => (one.since ?? 0) - (other.since ?? 0))
        .slice(0, limit),
    async write(row, was) {
      const [name, alias] = [`${row.kind} ${row.id}`, row.alias && `${row.kind} ${row.alias}`]
      const before = rows.get(name)
      if ((before?.version ?? 'absent') !== was) return false
      const holder = alias === undefined ? undefined : byAlias.get(alias)
      if (holder && holder.id !== row.id) return false
      if (before?.alias !== undefined) byAlias.delete(`${row.kind} ${before.alias}`)
      if (alias !== undefined) byAlias.set(alias, row)
      rows.set(name, row)
      return true
    },
    async delete(kind, id, version) {
      const row = rows.get(`${kind} ${id}`)
      if (row?.version !== version) return false
      if (row.alias !== undefined) byAlias.delete(`${kind} ${row.alias}`)
      return rows.delete(`${kind} ${id}`)
    },
    findOrInsert: async (row) => findThenInsert(memory, row),
    wipe: async () => undefined,
    close: async () => undefined,
  }
  return memory
}

import type { Vault } from '../engines/vault/vault.ts'
import { type Leases, leasesOf } from '../projector/lease.ts'

/** Work that one process does at a time. */
export function vaultLeases(vault: Vault, options: Parameters<typeof leasesOf>[1]): Leases {
  const read = async (id: string) => (await vault.notes('lease', [id]))[0]
  return leasesOf(
    {
      read: async (id) => (await read(id))?.value as string | undefined,
      async replace(id, { from, to }) {
        const note = await read(id)
        if ((note?.value as string | undefined) !== from) return false
        return vault.writeNote('lease', { id, value: to, due: undefined }, note?.version ?? 'absent')
      },
    },
    options,
  )
}

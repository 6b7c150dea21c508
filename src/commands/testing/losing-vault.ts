import type { Vault } from '../../vault/vault.ts'

/** Knows nobody while `isLost`, as an older copy does not know who came later. */
export function losingVault() {
  const lost = { isLost: false }
  const wrapVault = (vault: Vault): Vault => ({
    ...vault,
    keysOf: async (ids) => (lost.isLost ? new Map() : vault.keysOf(ids)),
  })
  return { lost, wrapVault }
}

import { join } from 'node:path'
import { databaseOfTest } from '../../mongodb/testing/databases.ts'
import { type Missing, notSet } from '../../../ports/testing/missing.ts'
import { testFolder } from '../../../ports/testing/test-folder.ts'
import { mongodbVaultRows } from '../mongodb-vault.ts'
import { sqliteVaultRows } from '../sqlite-vault.ts'
import type { Vault } from '../vault.ts'
import type { VaultRows } from '../vault-rows.ts'
import { vaultOver } from '../vault-rules.ts'
import { memoryVaultRows } from './memory-vault.ts'

export interface VaultEngine {
  readonly name: string
  /** Why it cannot be tested here. */
  readonly missing?: Missing
  readonly keepsFiles: boolean
  /** The address of a new vault, which is removed with the test. */
  address(): string
  rows(address: string): VaultRows
}

/** The engines under the contract suite; add new ones here. */
export const embeddedVaults: readonly VaultEngine[] = [
  {
    name: 'memory',
    keepsFiles: false,
    address: () => '',
    rows: () => memoryVaultRows(),
  },
  {
    name: 'sqlite',
    keepsFiles: true,
    address: () => join(testFolder(), 'vault.db'),
    rows: (address) => sqliteVaultRows(address),
  },
]

export const mongodbVaults: readonly VaultEngine[] = [
  {
    name: 'mongodb',
    missing: notSet('VAULT_URL'),
    keepsFiles: false,
    address: () => databaseOfTest(process.env['VAULT_URL']),
    rows: (address) => mongodbVaultRows({ url: address }),
  },
]

export function openVaultOf(engine: VaultEngine, address: string): Vault {
  return vaultOver(engine.rows(address))
}

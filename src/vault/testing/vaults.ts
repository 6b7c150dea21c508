import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { testDatabase } from '../../mongodb/testing/databases.ts'
import { type Missing, notSet } from '../../testing/missing.ts'
import { mongodbVaultRows } from '../mongodb-vault.ts'
import { sqliteVaultRows } from '../sqlite-vault.ts'
import type { Vault } from '../vault.ts'
import type { VaultRows } from '../vault-rows.ts'
import { vaultOver } from '../vault-rules.ts'
import { memoryVaultRows } from './memory-vault.ts'

export interface VaultRoom {
  readonly address: string
  remove(): void | Promise<void>
}

export interface VaultEngine {
  readonly name: string
  /** Why it cannot be tested here. */
  readonly missing?: Missing
  readonly keepsFiles: boolean
  /** A place for one new vault. */
  room(): VaultRoom
  rows(address: string): VaultRows
}

const vaultUrl = process.env['VAULT_URL']

/** The engines under the contract suite; add new ones here. */
export const embeddedVaults: readonly VaultEngine[] = [
  {
    name: 'memory',
    keepsFiles: false,
    room: () => ({ address: '', remove: () => undefined }),
    rows: () => memoryVaultRows(),
  },
  {
    name: 'sqlite',
    keepsFiles: true,
    room() {
      const folder = mkdtempSync(path.join(tmpdir(), 'vault-'))
      return {
        address: path.join(folder, 'vault.db'),
        remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }),
      }
    },
    rows: (address) => sqliteVaultRows(address),
  },
]

export const mongodbVaults: readonly VaultEngine[] = [
  {
    name: 'mongodb',
    missing: notSet('VAULT_URL'),
    keepsFiles: false,
    room() {
      const database = testDatabase(vaultUrl ?? '')
      return { address: database.url, remove: () => database.drop() }
    },
    rows: (address) => mongodbVaultRows({ url: address }),
  },
]

export function openVaultOf(engine: VaultEngine, address: string): Vault {
  return vaultOver(engine.rows(address))
}

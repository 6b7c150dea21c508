import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { testDatabase } from '../../mongodb/testing/databases.ts'
import { type Missing, notSet } from '../../testing/missing.ts'
import { memoryVault } from './memory-vault.ts'
import { mongodbVault } from '../mongodb-vault.ts'
import { sqliteVault } from '../sqlite-vault.ts'
import type { Vault } from '../vault.ts'

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
  open(address: string): Vault
}

const vaultUrl = process.env['VAULT_URL']

/** The engines under the contract suite; add new ones here. */
export const embeddedVaults: readonly VaultEngine[] = [
  {
    name: 'memory',
    keepsFiles: false,
    room: () => ({ address: '', remove: () => undefined }),
    open: () => memoryVault(),
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
    open: (address) => sqliteVault(address),
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
    open: (address) => mongodbVault({ url: address }),
  },
]

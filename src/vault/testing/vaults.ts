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

interface VaultEngine {
  readonly name: string
  /** Why it cannot be tried here. */
  readonly missing?: Missing
  /** What is written outlives the process, and other processes see it. */
  readonly isShared: boolean
  readonly keepsFiles: boolean
  /** Room for one new vault. */
  room(): VaultRoom
  open(address: string): Vault
}

const vaultUrl = process.env['VAULT_URL']

/** Every engine that keeps the vault's promises. A new one is one more entry. */
export const vaults: readonly VaultEngine[] = [
  {
    name: 'memory',
    isShared: false,
    keepsFiles: false,
    room: () => ({ address: '', remove: () => undefined }),
    open: () => memoryVault(),
  },
  {
    name: 'sqlite',
    isShared: true,
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
  {
    name: 'mongodb',
    missing: notSet('VAULT_URL'),
    isShared: true,
    keepsFiles: false,
    room() {
      const database = testDatabase(vaultUrl ?? '')
      return { address: database.url, remove: () => database.drop() }
    },
    open: (address) => mongodbVault({ url: address }),
  },
]

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '../../mongodb/testing/databases.ts'
import { type Missing, notSet } from '../../testing/missing.ts'
import { mongodbViewStore } from '../mongodb-view-store.ts'
import { sqliteViewStore, temporaryViewStore } from '../sqlite-view-store.ts'
import type { ViewStore } from '../view-store.ts'

export interface ViewStoreEngine {
  readonly name: string
  /** Why it cannot be tested here. */
  readonly missing?: Missing
  /** Whether a second store can be opened on the same data. */
  readonly isShared: boolean
  /** Where one test's data lies. */
  place(): Promise<ViewStorePlace>
}

export interface ViewStorePlace {
  store(): ViewStore
  remove(): Promise<void>
}

const mongodbUrl = process.env['MONGODB_URL']

/** The engines under the contract suite; add new ones here. */
export const embeddedViewStores: readonly ViewStoreEngine[] = [
  {
    name: 'SQLite',
    isShared: true,
    async place() {
      const folder = await mkdtemp(join(tmpdir(), 'view-store-'))
      return {
        store: () => sqliteViewStore(join(folder, 'views')),
        remove: () => rm(folder, { recursive: true }),
      }
    },
  },
  {
    name: 'SQLite, temporary',
    isShared: false,
    place: async () => ({ store: temporaryViewStore, remove: async () => {} }),
  },
]

export const mongodbViewStores: readonly ViewStoreEngine[] = [
  {
    name: 'MongoDB',
    missing: notSet('MONGODB_URL'),
    isShared: true,
    async place() {
      const database = testDatabase(mongodbUrl ?? '')
      return { store: () => mongodbViewStore({ url: database.url }), remove: () => database.drop() }
    },
  },
]

import { join } from 'node:path'
import { databaseOfTest } from '../../mongodb/testing/databases.ts'
import { type Missing, notSet } from '../../../ports/testing/missing.ts'
import { testFolder } from '../../../ports/testing/test-folder.ts'
import { mongodbViewStore } from '../mongodb-view-store.ts'
import { sqliteViewStore, temporaryViewStore } from '../sqlite-view-store.ts'
import type { ViewStore } from '../view-store.ts'

export interface ViewStoreEngine {
  readonly name: string
  /** Why it cannot be tested here. */
  readonly missing?: Missing
  /** Whether a second store can be opened on the same data. */
  readonly isShared: boolean
  /** What opens stores on the data of one test, which are removed with it. */
  place(): () => ViewStore
}

/** The engines under the contract suite; add new ones here. */
export const embeddedViewStores: readonly ViewStoreEngine[] = [
  {
    name: 'SQLite',
    isShared: true,
    place() {
      const folder = join(testFolder(), 'views')
      return () => sqliteViewStore(folder)
    },
  },
  {
    name: 'SQLite, temporary',
    isShared: false,
    place: () => temporaryViewStore,
  },
]

export const mongodbViewStores: readonly ViewStoreEngine[] = [
  {
    name: 'MongoDB',
    missing: notSet('MONGODB_URL'),
    isShared: true,
    place() {
      const url = databaseOfTest(process.env['MONGODB_URL'])
      return () => mongodbViewStore({ url })
    },
  },
]

import fc from 'fast-check'
import { it } from 'vitest'
import { testDatabase } from '../mongodb/testing/databases.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { shopHistories } from '../projections/testing/histories.ts'
import { describeUnless } from '../testing/describe-unless.ts'
import { notSet } from '../testing/missing.ts'
import { mongodbViewStore } from '../view-store/mongodb-view-store.ts'
// Its properties run here too, at the size of this tier.
import { expectCleanViews, schedules } from './runner.property.test.ts'

describeUnless(notSet('MONGODB_URL'), 'views in MongoDB under crashes and races', () => {
  it('are what a clean fold of the log makes', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(shopHistories, schedules, async (history, schedule) => {
        const database = testDatabase(process.env['MONGODB_URL'] ?? '')
        const store = mongodbViewStore({ url: database.url })
        try {
          const views = { store, wipe: () => database.drop(), lose: () => undefined }
          await expectCleanViews(history, schedule, shopProjections({ timeZone: 'Asia/Kolkata' }), views)
        } finally {
          await store.close()
          await database.drop()
        }
      }),
      { numRuns: 20 },
    )
  })
})

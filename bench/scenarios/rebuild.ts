import { startBenchShop } from '../shop/bench-shop.ts'
import { balanceBooks } from '../shop/books.ts'
import { logSize, newFolder, removeFolder, seed, wipeViews } from '../shop/folders.ts'
import type { Bench } from './bench.ts'

export const REBUILD_ID = 'rebuild'
/** Enough for some seconds of folding. */
const ORDERS = 20_000

export interface RebuildScene {
  readonly folder: string
  readonly events: number
  readonly bytes: number
}

/** A log to rebuild from; made once, for all rounds. */
export async function rebuildScene({ say }: Bench): Promise<RebuildScene> {
  const folder = await newFolder()
  say(`seeding ${ORDERS} orders to rebuild views from`)
  await seed(folder, ORDERS)
  return { folder, ...logSize(folder) }
}

/** All views from nothing: from the first answer of the process to all of them caught up. */
export async function measureRebuild({ notebook }: Bench, { folder, events }: RebuildScene): Promise<void> {
  wipeViews(folder)
  const shop = await startBenchShop(folder)
  const beganAt = performance.now()
  try {
    await shop.caughtUp()
    const seconds = (performance.now() - beganAt) / 1_000
    notebook.note(
      { id: REBUILD_ID, name: 'rebuild of all views', unit: 'events' },
      { perSecond: events / seconds, ms: seconds * 1_000, ...shop.memory() },
    )
  } finally {
    await shop.stop()
  }
}

export async function endRebuild({ folder }: RebuildScene): Promise<void> {
  await balanceBooks(folder, { atRest: false })
  await removeFolder(folder)
}

import { eventCount, wipeViews } from './folders.ts'
import { slowestList } from './lists.ts'
import { startBenchShop } from './processes.ts'

/** On a seeded log: all views from nothing, in events a second, then the order list, in milliseconds. */
export async function measureLog(
  { root, node, folder }: { root: string; node: string; folder: string },
  withLists: boolean,
): Promise<{ rebuild: number; lists: number | undefined }> {
  wipeViews(folder)
  const events = eventCount(folder)
  const shop = await startBenchShop(root, folder, { node })
  try {
    const beganAt = performance.now()
    await shop.caughtUp()
    const rebuild = (1_000 * events) / (performance.now() - beganAt)
    if (!withLists) return { rebuild, lists: undefined }
    await shop.atRest()
    return { rebuild, lists: await slowestList(shop) }
  } finally {
    await shop.stop()
  }
}

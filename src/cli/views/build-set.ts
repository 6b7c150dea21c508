import type { Engines } from '../../engines.ts'
import { START } from '../../event-store/event-store.ts'
import type { Projection } from '../../projections/projection.ts'
import { entryOf } from '../../projector/registry.ts'
import { beginSet, projectionRunner } from '../../projector/runner.ts'
import { systemClock } from '../../system.ts'
import type { Progress } from '../progress.ts'

const LOOK_EVERY_MS = 200
const STUCK_MS = 180_000

interface Shaped {
  readonly shape: string
  readonly projections: readonly Projection[]
}

/** Builds a set beside the one that serves, and waits until it has taken over. */
export async function buildSet(engines: Engines, shaped: Shaped, progress: Progress): Promise<void> {
  const { views: store, log, logId } = engines
  await beginSet(store, { ...shaped, log, logId, beside: true })
  const { building } = await entryOf(store, shaped.shape)
  await folding(engines, shaped, progress, async () => {
    const entry = await entryOf(store, shaped.shape)
    if (entry.serving === building) return true
    if (building === undefined || entry.building !== building)
      throw new Error('the new views were dropped meanwhile; those that served go on')
    return false
  })
}

/** Builds the set of this release beside that of a running older one, and waits until it has caught up. */
export async function prepareSet(engines: Engines, shaped: Shaped, progress: Progress): Promise<void> {
  const { views: store, log } = engines
  await folding(engines, shaped, progress, async () => {
    const { serving } = await entryOf(store, shaped.shape)
    const state = serving === undefined ? undefined : await store.stateOf(serving)
    return state !== undefined && state.checkpoint >= (await log.head())
  })
}

/** Folds beside the projector of a running shop, which does no harm, until it is done. */
async function folding(
  engines: Engines,
  shaped: Shaped,
  progress: Progress,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const { views: store, log, logId } = engines
  let trouble: unknown
  const onTrouble = (error: unknown): void => void (trouble = error)
  const clock = { now: () => performance.now(), sleep: async (ms: number) => systemClock.sleep(ms) }
  const runner = projectionRunner({ log, store, logId, ...shaped, clock, onTrouble })
  const running = runner.start()
  try {
    let [seen, movedAt] = ['', performance.now()]
    while (!(await isDone())) {
      const { building, serving } = await entryOf(store, shaped.shape)
      const set = building ?? serving
      const reached = Number((set === undefined ? undefined : await store.stateOf(set))?.checkpoint ?? START)
      const head = Number(await log.head())
      const look = `${head === 0 ? 100 : Math.floor((100 * reached) / head)} % (event ${reached} of ${head})`
      progress.show(look)
      if (look !== seen) [seen, movedAt] = [look, performance.now()]
      if (performance.now() - movedAt > STUCK_MS)
        throw new Error(`nothing moves any more: ${seen}${trouble instanceof Error ? ` (${trouble.message})` : ''}`)
      await systemClock.sleep(LOOK_EVERY_MS)
    }
  } finally {
    await runner.stop()
    await running
  }
}

import { areViewsOurs, type Engines } from '../../engines.ts'
import type { Projection } from '../../projections/projection.ts'
import { askRebuild, buildsOf, checkpointOf, isOfVariant, isReady } from '../../projector/builds.ts'
import { projectionRunner, type Runner } from '../../projector/runner.ts'
import { systemClock } from '../../system.ts'
import type { Progress } from '../progress.ts'

const LOOK_EVERY_MS = 200
/** A running shop looks every 5 s, also when nothing is sold. */
const BEGUN_MS = 8_000
/** A running shop keeps a former build for a minute. */
const FORMER_ENDED_MS = 70_000
const STUCK_MS = 180_000

/** One view that is built anew. */
interface Rebuild {
  readonly projection: Projection
  /** The build that is to take over; undefined while a former one stands in its place. */
  wanted: string | undefined
  isDone: boolean
}

/**
 * Has these views built anew and waits until each new build has taken over. A running shop's projector does it; where nothing moves, this process folds as
 * well, which does no harm.
 */
export async function rebuildViews(
  engines: Engines,
  projections: readonly Projection[],
  progress: Progress,
): Promise<void> {
  if (!(await areViewsOurs(engines)))
    throw new Error('the views are not of this log, or not there: start the shop, which builds them')
  await refuseUnbuilt(engines, projections)
  const rebuilds = projections.map((projection): Rebuild => ({ projection, wanted: undefined, isDone: false }))
  const { log, views: store } = engines
  let trouble: unknown
  let own: { readonly runner: Runner; readonly running: Promise<void> } | undefined
  let [seen, movedAt] = ['', systemClock.now()]
  try {
    for (;;) {
      const looks: string[] = []
      for (const rebuild of rebuilds) looks.push(await lookedAt(engines, rebuild))
      if (rebuilds.every(({ isDone }) => isDone)) return
      const look = looks.filter((text) => text !== '').join(', ')
      progress.show(look)
      if (look !== seen) [seen, movedAt] = [look, systemClock.now()]
      const waitedMs = systemClock.now() - movedAt
      if (waitedMs > STUCK_MS) throw stuck(seen, trouble)
      const isFormerLeft = rebuilds.some(({ wanted }) => wanted === undefined)
      if (!own && waitedMs > (isFormerLeft ? FORMER_ENDED_MS : BEGUN_MS)) {
        const onTrouble = ({ error }: { error: unknown }): void => void (trouble = error)
        const runner = projectionRunner({ log, store, projections, clock: systemClock, onTrouble })
        own = { runner, running: runner.start() }
      }
      await systemClock.sleep(LOOK_EVERY_MS)
    }
  } finally {
    await own?.runner.stop()
    await own?.running
  }
}

function stuck(seen: string, trouble: unknown): Error {
  const cause = trouble instanceof Error ? ` (${trouble.message})` : ''
  return new Error(`nothing moves any more${cause}: ${seen}; it goes on by itself while the shop runs`)
}

/** Says how far it is; nothing when it has taken over. */
async function lookedAt({ log, views: store }: Engines, rebuild: Rebuild): Promise<string> {
  const { projection, wanted } = rebuild
  if (rebuild.isDone) return ''
  const builds = await buildsOf(store, projection)
  if (wanted !== undefined && builds?.current.collection.name === wanted) {
    rebuild.isDone = true
    return ''
  }
  if (wanted === undefined) {
    const beside = await askRebuild(store, projection, systemClock.now())
    if (!beside || beside.isFormer) return `${projection.name} waits until its former build is dropped`
    rebuild.wanted = beside.collection.name
    return `${projection.name} waits`
  }
  const beside = builds?.beside
  if (beside?.collection.name !== wanted)
    throw new Error(`the new build of ${projection.name} was dropped meanwhile; the one that served goes on`)
  const [reached, head] = [Number(await checkpointOf(store, beside.collection)), Number(await log.head())]
  return `${projection.name} ${head === 0 ? 100 : Math.floor((100 * reached) / head)} % (event ${reached} of ${head})`
}

/** Another time zone, or a release that the shop does not run yet: that would be another view, not the same anew. */
async function refuseUnbuilt({ views: store }: Engines, projections: readonly Projection[]): Promise<void> {
  for (const projection of projections) {
    const { name, version } = projection
    const current = (await buildsOf(store, projection))?.current
    if (!current || !(await isReady(store, current.collection)))
      throw new Error(`version ${version} of ${name} does not serve yet: a running shop builds it`)
    if (!(await isOfVariant(store, current)))
      throw new Error(`${name} was built with another SHOP_TIME_ZONE: run this with the settings of the shop`)
  }
}

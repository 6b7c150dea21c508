import type { EventLog } from '../event-store/event-log.ts'
import { type Position, START } from '../event-store/event-store.ts'
import type { ViewStore } from '../view-store/view-store.ts'
import { checkpointOf, currentBuild, isReady } from './builds.ts'
import type { Projection } from '../projections/projection.ts'

/** Events are counted up to this: a view further behind is being built. */
export const LAG_EVENTS_MAX = 1_000

/** A view's lag against the log's own head, whichever process updates it. */
export interface ViewLag {
  readonly name: string
  /** It has been built once and may answer. */
  readonly isServing: boolean
  /** Of the log, not yet folded; `LAG_EVENTS_MAX` stands for that many or more. */
  readonly events: number
  /** For how long the oldest of them has waited; 0 when there is none. */
  readonly seconds: number
  /** Documents that an event has broken, at most 1,000. */
  readonly broken: number
}

/** Measures every view. Throws the engine's error if it is away. */
export async function viewLags(options: {
  readonly log: Pick<EventLog, 'head' | 'readAllStored'>
  readonly store: ViewStore
  readonly projections: readonly Projection[]
  readonly now: () => number
}): Promise<ViewLag[]> {
  const { log, store, projections, now } = options
  const head = await log.head()
  // Most views are at the same position.
  const waiting = new Map<Position, Promise<{ events: number; seconds: number }>>()

  async function waitingAfter(after: Position): Promise<{ events: number; seconds: number }> {
    if (after >= head) return { events: 0, seconds: 0 }
    const events = await log.readAllStored({ after, limit: LAG_EVENTS_MAX })
    const [oldest] = events
    return { events: events.length, seconds: oldest ? Math.max(0, now() - oldest.recordedAt) / 1_000 : 0 }
  }

  async function lagOf(projection: Projection): Promise<ViewLag> {
    const build = await currentBuild(store, projection)
    const isServing = await isReady(store, build.collection)
    const after = (await checkpointOf(store, build.collection)) || START
    const lag = waiting.get(after) ?? waitingAfter(after)
    waiting.set(after, lag)
    // Without a collection there is nothing to count.
    const isThere = isServing || after !== START
    return {
      name: projection.name,
      isServing,
      ...(await lag),
      broken: isThere ? await store.countBroken(build.collection) : 0,
    }
  }

  const lags: ViewLag[] = []
  for (const projection of newestOf(projections)) lags.push(await lagOf(projection))
  return lags
}

/** Older versions stand beside it only until it has taken over. */
function newestOf(projections: readonly Projection[]): Projection[] {
  const newest = new Map<string, Projection>()
  for (const projection of projections)
    if (projection.version > (newest.get(projection.name)?.version ?? -1)) newest.set(projection.name, projection)
  return [...newest.values()]
}

/** One line for operators; undefined without a problem. */
export function lagText({ isServing, events, seconds }: ViewLag): string | undefined {
  if (!isServing) return 'is being built'
  if (events === 0) return undefined
  const count =
    events >= LAG_EVENTS_MAX ? `${LAG_EVENTS_MAX} events or more` : `${events} ${events === 1 ? 'event' : 'events'}`
  return `behind the log by ${count}, ${seconds.toFixed(1)} s`
}

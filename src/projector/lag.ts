import type { EventLog } from '../log/event-log.ts'
import { START } from '../engines/event-store/event-store.ts'
import type { Projection } from '../projections/projection.ts'
import type { Views } from '../projections/shop-views.ts'

/** Events are counted up to this: views further behind are being built. */
export const LAG_EVENTS_MAX = 1_000

/** The views' lag behind the log's head, whatever process folds them. */
interface ViewLag {
  /** Whether readers have a set of views. */
  readonly isServing: boolean
  /** Events not yet folded; `LAG_EVENTS_MAX` means that many or more. */
  readonly events: number
  /** How long the oldest of them has waited; 0 if there is none. */
  readonly seconds: number
  /** Documents that an event has broken, by view, at most 1,000 each. */
  readonly broken: ReadonlyMap<string, number>
}

/** Throws the engine's error if it is away. */
export async function viewLag(options: {
  readonly log: Pick<EventLog, 'head' | 'readAllStored'>
  readonly views: Pick<Views, 'position' | 'broken'>
  readonly projections: readonly Pick<Projection, 'name'>[]
  readonly now: () => number
}): Promise<ViewLag> {
  const { log, views, projections, now } = options
  const head = await log.head()
  const position = await views.position()
  const after = position ?? START
  const waiting = after >= head ? [] : await log.readAllStored({ after, limit: LAG_EVENTS_MAX })
  const [oldest] = waiting
  const broken = new Map<string, number>()
  for (const { name } of projections) broken.set(name, position === undefined ? 0 : (await views.broken(name)).length)
  return {
    isServing: position !== undefined,
    events: waiting.length,
    seconds: oldest ? Math.max(0, now() - oldest.recordedAt) / 1_000 : 0,
    broken,
  }
}

/** One line for operators; undefined without a problem. */
export function lagText({ isServing, events, seconds }: ViewLag): string | undefined {
  if (!isServing) return 'is being built'
  if (events === 0) return undefined
  const count =
    events >= LAG_EVENTS_MAX ? `${LAG_EVENTS_MAX} events or more` : `${events} ${events === 1 ? 'event' : 'events'}`
  return `behind the log by ${count}, ${seconds.toFixed(1)} s`
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { decode } from '../event-store/event-codec.ts'
import { type EventStore, START } from '../event-store/event-store.ts'
import { checkpointMark, finishBuild, openBuild } from '../projector/builds.ts'
import { foldInto } from '../projector/fold.ts'
import { viewReader } from '../projector/view-reader.ts'
import type { Projection } from '../projections/projection.ts'
import type { Views } from '../projections/views.ts'
import { temporaryViewStore } from '../view-store/sqlite-view-store.ts'
import { afterPage, atStart, type Fold, type Reached } from './fold-log.ts'
import type { Moment } from './moment.ts'
import { pagesUpTo } from './pages-up-to.ts'

/** Changed documents are collected up to this number, so that most are written once. */
const DOCUMENTS_TOGETHER = 20_000

export interface ShopAsOf {
  /** The product's own views, as if the shop had been stopped at the moment. */
  readonly views: Views
  readonly reached: Reached
  close(): Promise<void>
}

export interface ShopAsOfOptions {
  readonly store: Pick<EventStore, 'readAll'>
  readonly moment: Moment
  /** The needed ones: each costs time. Those that hold opened personal data are refused. */
  readonly projections: readonly Projection[]
  /** What no view holds: folded from the same events. */
  readonly folds?: readonly Fold[]
  readonly onProgress?: ((reached: Reached) => void) | undefined
  /** Rejects with its reason, and leaves nothing behind. */
  readonly signal?: AbortSignal | undefined
}

/** Folds the log up to a moment into views of this process alone. They are kept in temporary files: memory does not grow with the shop. */
export async function shopAsOf(options: ShopAsOfOptions): Promise<ShopAsOf> {
  const { projections } = options
  const personal = projections.find((projection) => projection.isPersonal === true || projection.opens !== undefined)
  if (personal) throw new TypeError(`${personal.name} holds personal data, and no history does`)
  const views = temporaryViewStore()
  try {
    const reached = await foldedInto(views, options)
    return {
      views: viewReader({ store: views, projections, now: () => performance.now() }),
      reached,
      close: () => views.close(),
    }
  } catch (error) {
    await views.close()
    throw error
  }
}

async function foldedInto(
  views: ReturnType<typeof temporaryViewStore>,
  { store, moment, projections, folds: others = [], onProgress, signal }: ShopAsOfOptions,
): Promise<Reached> {
  const end = { head: async () => START, now: () => 0 }
  const opened = await Promise.all(projections.map(async (projection) => openBuild(views, projection, end)))
  const builds = opened.map(({ build }) => build)
  let reached = atStart
  let written = START
  let folds = builds.map((build) => foldInto(build, views))

  async function write(): Promise<void> {
    if (written === reached.position) return
    const moves = { from: written, to: reached.position }
    const writes = await Promise.all(
      folds.map(async (fold, index) => {
        const build = builds[index]
        return build ? fold.writes(checkpointMark(build, moves)) : []
      }),
    )
    await views.write(writes.flat())
    written = reached.position
    folds = builds.map((build) => foldInto(build, views))
  }

  for await (const page of pagesUpTo(store, moment, { signal })) {
    const events = page.map((stored) => decode(stored))
    for (const fold of folds) await fold.add({ events, opened: new Map() })
    for (const event of events)
      if (event.type !== 'unreadable') for (const fold of others) if (fold.needs(event)) fold.see(event)
    reached = afterPage(reached, page)
    onProgress?.(reached)
    if (folds.reduce((sum, fold) => sum + fold.changed(), 0) >= DOCUMENTS_TOGETHER) await write()
    await yieldToEventLoop()
  }
  await write()
  for (const build of builds) await finishBuild(views, build, end.now())
  return reached
}

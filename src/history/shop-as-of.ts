import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { decode } from '../log/event-codec.ts'
import type { RecordedEvent } from '../log/event-log.ts'
import { type EventStore, START } from '../engines/event-store/event-store.ts'
import { pageFold } from '../projector/fold.ts'
import { changeEntry } from '../projector/registry.ts'
import { viewReader } from '../projector/view-reader.ts'
import type { LogEvent, Projection } from '../projections/projection.ts'
import type { Views } from '../projections/shop-views.ts'
import { temporaryViewStore } from '../engines/view-store/sqlite-view-store.ts'
import type { Reached } from '../projections/past-views.ts'
import type { Moment } from './moment.ts'
import { pagesUpTo } from './pages-up-to.ts'

/** Events per fold: many, so that most documents are written once. */
const EVENTS_TOGETHER = 10_000
const SET = 'past'
const SHAPE = 'past'

interface ShopAsOf {
  /** The shop's own views, as if the shop had been stopped at the moment. */
  readonly views: Views
  readonly reached: Reached
  close(): Promise<void>
}

interface ShopAsOfOptions {
  readonly store: Pick<EventStore, 'readAll'>
  readonly moment: Moment
  /** Only the needed ones: each costs time. Throws if one holds opened personal data. */
  readonly projections: readonly Projection[]
  /** Called with every readable event, for facts that no view holds. */
  readonly onEvent?: ((event: RecordedEvent) => void) | undefined
  readonly onProgress?: ((reached: Reached) => void) | undefined
  /** On abort, rejects with its reason and deletes the files. */
  readonly signal?: AbortSignal | undefined
}

/** Folds the log up to a moment into views that only this process has, in temporary files, so that memory does not grow with the shop. */
export async function shopAsOf(options: ShopAsOfOptions): Promise<ShopAsOf> {
  const { projections } = options
  const personal = projections.find((projection) => projection.isPersonal === true || projection.opens !== undefined)
  if (personal) throw new TypeError(`${personal.name} holds personal data, and no history does`)
  const store = temporaryViewStore()
  try {
    await store.create(SET, { shape: SHAPE, logId: '', beginHead: START }, projections)
    const reached = await foldLog(store, options)
    await store.index(SET, projections)
    await changeEntry(store, SHAPE, () => ({ serving: SET }))
    return {
      views: viewReader({ store, shape: SHAPE, projections, now: () => performance.now() }),
      reached,
      close: () => store.close(),
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

async function foldLog(
  views: ReturnType<typeof temporaryViewStore>,
  { store, moment, projections, onEvent, onProgress, signal }: ShopAsOfOptions,
): Promise<Reached> {
  let reached: Reached = { events: 0, position: START, recordedAt: 0 }
  let after = START
  let collected: LogEvent[] = []

  async function write(): Promise<void> {
    if (collected.length > 0)
      after = await views.fold(SET, pageFold(projections, { after, events: collected, opened: new Map() }))
    collected = []
  }

  for await (const page of pagesUpTo(store, moment, { signal })) {
    for (const stored of page) {
      const event = decode(stored)
      collected.push(event)
      if (event.type !== 'unreadable') onEvent?.(event)
    }
    const { position, recordedAt } = page.at(-1) ?? reached
    reached = { events: reached.events + page.length, position, recordedAt }
    onProgress?.(reached)
    if (collected.length >= EVENTS_TOGETHER) await write()
    await yieldToEventLoop()
  }
  await write()
  return reached
}

import { setImmediate as othersTurn } from 'node:timers/promises'
import type { EventLog, Personal, RecordedEvent } from '../event-store/event-log.ts'
import { lastPosition } from '../event-store/event-log.ts'
import { type Position, START } from '../event-store/event-store.ts'
import { SealBroken } from '../event-store/sealing.ts'
import type { ViewDocument, ViewStore } from '../view-store/view-store.ts'
import {
  askForCopy,
  type Build,
  checkpointOf,
  copyBuild,
  dropOutdated,
  finishBuild,
  isDropped,
  isSuperseded,
  isToBeCopied,
  openBuild,
  raiseCheckpoint,
} from './builds.ts'
import { type Fold, foldInto, type Opened } from './fold-page.ts'
import type { LogEvent, Projection } from './projection.ts'
import { type RecentDocuments, recentDocuments } from './recent-documents.ts'
import { positionWaiters } from './position-waiters.ts'

/** Events read and folded at once. */
const PAGE = 1_000
/** While all views are being built, nothing else waits: pages are folded on and written together, so that most orders are written once. */
const PAGES_TOGETHER = 80
/** Short, so that what is only looked at once is garbage before it is moved. */
const PAGE_OF_MANY = 250
/** These are kept in memory until then... */
const DOCUMENTS_TOGETHER = 10_000
/** ...and others who write to the views wait for it. */
const TOGETHER_MS = 1_000
/** A log that grows without telling is looked at this often all the same. */
const IDLE_MS = 5_000
const RETRY_MS = 50
const RETRY_MS_MAX = 5_000
/** Collections that nobody needs any more may come back by a late write. */
const CLEANING_MS = 3_600_000

export interface RunnerOptions {
  readonly log: Pick<EventLog, 'readAll' | 'head' | 'waitForEvents' | 'openPersonal'>
  readonly store: ViewStore
  /** Several versions of one name are kept up side by side. */
  readonly projections: readonly Projection[]
  readonly clock: { now(): number; sleep(ms: number): Promise<void> }
  readonly pageSize?: number
  /** How many are written together while all views are being built; one where pages have a size of their own. */
  readonly pagesTogether?: number
  /** A view has moved; `target` while it is being built. */
  readonly onProgress?: (progress: { collection: string; position: Position; target: Position | undefined }) => void
  /** `position` of some names may be another one. */
  readonly onMoved?: () => void
  /** An engine or the vault is away: it is tried again. Must not throw. */
  readonly onTrouble?: (trouble: { collection: string; error: unknown }) => void
}

export interface ProjectionStatus {
  readonly name: string
  readonly version: number
  readonly collection: string | undefined
  readonly position: Position
  readonly isServing: boolean
  /** Why it does not move on, while it does not. */
  readonly trouble: string | undefined
  /** Documents that an event has broken, at most 1,000. */
  readonly broken: number
}

/** Keeps the views up with the log. Any number of them may run, at the same time and over the same views. */
export interface Runner {
  /** Folds one page into the views that are in front and one into those that are behind; says whether there was any. Never throws. */
  runOnce(): Promise<boolean>
  /** Folds until `signal` is aborted or `stop` is called, whatever happens to engines and vault meanwhile. */
  start(signal?: AbortSignal): Promise<void>
  /** Resolves when the running page is done. */
  stop(): Promise<void>
  /** Up to where all views, or those of these names, have seen the log. */
  position(names?: readonly string[]): Position
  /** True as soon as `position(names)` is there; false when `timeoutMs` passed before. */
  waitFor(position: Position, timeoutMs: number, names?: readonly string[]): Promise<boolean>
  status(): Promise<ProjectionStatus[]>
}

interface Track {
  readonly projection: Projection
  readonly recent: RecentDocuments
  build: Build | undefined
  checkpoint: Position
  /** Undefined once it serves. */
  target: Position | undefined
  isRetired: boolean
  troubles: number
  trouble: unknown
  retryAt: number
  /** Something was taken out of it that must leave no byte behind. */
  isToBeCopied: boolean
  copying: Promise<void> | undefined
}

/** What a page has for one view. */
interface Folding {
  readonly track: Track
  readonly build: Build
  readonly events: readonly LogEvent[]
  readonly opened: Opened
}

/** A view, and what is folded into it before it is written. */
interface Open {
  readonly track: Track
  readonly build: Build
  readonly fold: Fold
}

export function projectionRunner(options: RunnerOptions): Runner {
  const { log, store, clock, onProgress, onMoved, onTrouble } = options
  const { pagesTogether = options.pageSize === undefined ? PAGES_TOGETHER : 1 } = options
  const tracks: Track[] = options.projections.map((projection) => ({
    projection,
    // Opened personal data stays nowhere but in its view.
    recent: recentDocuments(projection.isPersonal ? { max: 0 } : {}),
    build: undefined,
    checkpoint: START,
    target: undefined,
    isRetired: false,
    troubles: 0,
    trouble: undefined,
    retryAt: 0,
    isToBeCopied: false,
    copying: undefined,
  }))
  const waiters = positionWaiters(position)
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let woken = Promise.withResolvers<void>()
  let cleanedAt = clock.now()

  function moved(): void {
    waiters.wake()
    onMoved?.()
  }

  function position(names?: readonly string[]): Position {
    const asked = tracks.filter(
      (track) => !isOutrun(track) && !track.isRetired && (names?.includes(track.projection.name) ?? true),
    )
    return lowestCheckpoint(asked)
  }

  /** Another version of the same view answers. */
  function isOutrun({ projection, build, target }: Track): boolean {
    if (build !== undefined && target === undefined) return false
    return tracks.some(
      (other) => other.projection.name === projection.name && other.build !== undefined && other.target === undefined,
    )
  }

  async function runOnce(): Promise<boolean> {
    for (const track of due()) if (!track.build) await attempt([track], () => open(track))
    const opened = due().filter(({ build }) => build !== undefined)
    const [front, ...behind] = [...new Set(opened.map(({ checkpoint }) => checkpoint))].toSorted().toReversed()
    if (front === undefined) return false
    const isAhead = await foldFrom(front, opened)
    // What is being built, or was held up, catches up beside those that are in front, not before them.
    const slowest = behind.at(-1)
    return (slowest !== undefined && (await foldFrom(slowest, opened))) || isAhead
  }

  function due(): Track[] {
    const now = clock.now()
    return tracks.filter(({ isRetired, retryAt }) => !isRetired && retryAt <= now)
  }

  /** What fails here is never an event's fault: it is tried again, later each time. */
  async function attempt(concerned: readonly Track[], work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      for (const track of concerned) {
        track.recent.forget()
        track.retryAt = clock.now() + Math.min(RETRY_MS * 2 ** track.troubles, RETRY_MS_MAX)
        track.troubles += 1
        track.trouble = error
        const { name, version } = track.projection
        onTrouble?.({ collection: track.build?.collection.name ?? `${name}@${version}`, error })
      }
      return false
    }
  }

  function settle(track: Track): void {
    Object.assign(track, { troubles: 0, trouble: undefined, retryAt: 0 })
  }

  async function open(track: Track): Promise<void> {
    const { build, target } = await openBuild(store, track.projection, {
      head: () => log.head(),
      now: () => clock.now(),
    })
    const checkpoint = await checkpointOf(store, build)
    Object.assign(track, { build, target, checkpoint, isToBeCopied: await isToBeCopied(store, build) })
    await finishWhenThere(track, build)
    settle(track)
    // It may be where somebody waits for it already.
    moved()
  }

  function pageSizeOf(pages: number): number {
    return options.pageSize ?? (pages > 1 ? PAGE_OF_MANY : PAGE)
  }

  /** One page, or some that are written together, for all whose next event lies in the first. */
  async function foldFrom(after: Position, opened: readonly Track[]): Promise<boolean> {
    let events: readonly LogEvent[] = []
    const concerned = opened.filter(({ checkpoint }) => checkpoint >= after)
    const pagesMax = opened.every(({ target }) => target !== undefined) ? pagesTogether : 1
    const isRead = await attempt(concerned, async () => {
      events = await log.readAll({ after, limit: pageSizeOf(pagesMax) })
    })
    if (!isRead) return false
    const page = { events, end: lastPosition(events) }
    const foldings: Folding[] = []
    for (const track of concerned) {
      const { build, checkpoint } = track
      if (!build) continue
      const isSound = await attempt([track], async () => {
        if (checkpoint >= page.end) {
          // Where nothing happens, nobody else would find a view wiped.
          if ((await hasLost(track, build)) || (await finishWhenThere(track, build))) moved()
          return
        }
        const folding = await prepared(track, build, events)
        if (folding) foldings.push(folding)
      })
      if (isSound && !foldings.some((folding) => folding.track === track)) settle(track)
    }
    const areMany = foldings.length > 1 || (foldings.length === 1 && pagesMax > 1)
    const together = areMany ? await foldedTogether(foldings, { end: page.end, pagesMax }) : undefined
    for (const folding of foldings) {
      const { track, build } = folding
      await attempt([track], async () => {
        const end = together ?? (await foldTogether([folding], { end: page.end, pagesMax: 1 }))
        await arrive(track, build, end)
      })
    }
    if (foldings.length > 0) moved()
    return events.length > 0
  }

  /** What a page has for a view; undefined where its build is gone. */
  async function prepared(track: Track, build: Build, page: readonly LogEvent[]): Promise<Folding | undefined> {
    if (await hasLost(track, build)) return undefined
    const events = behind(page, track.checkpoint)
    return { track, build, events, opened: await openedFor(build.projection, events) }
  }

  async function hasLost(track: Track, build: Build): Promise<boolean> {
    if (!(await isDropped(store, build, clock.now()))) return false
    // Whoever dropped it has taken over, or this release is to build it anew.
    const isRetired = await isSuperseded(store, build)
    Object.assign(track, { isRetired, build: undefined, checkpoint: START })
    track.recent.forget()
    return true
  }

  /** Folds a page that ends at `end`, and up to `pagesMax` in all with those behind it; answers where the last one ends. */
  async function foldTogether(
    foldings: readonly Folding[],
    { end: first, pagesMax }: { end: Position; pagesMax: number },
  ): Promise<Position> {
    const { end, written } = await store.batch(async () => {
      const opens: Open[] = []
      for (const { track, build, events, opened } of foldings) {
        const fold = foldInto({ ...build, recent: track.recent }, store)
        await fold.add({ events, opened })
        opens.push({ track, build, fold })
      }
      const last = await foldOn(opens, { end: first, pagesMax })
      const pages: (readonly ViewDocument[])[] = []
      for (const { track, build, fold } of opens) {
        const documents = await fold.write()
        pages.push(documents)
        if (track.projection.isPersonal && documents.some(({ body }) => body === undefined)) {
          await askForCopy(store, build)
          track.isToBeCopied = true
        }
        await raiseCheckpoint(store, build, last)
      }
      return { end: last, written: pages }
    })
    for (const [at, { track }] of foldings.entries()) track.recent.keep(written[at] ?? [])
    return end
  }

  /** Folds the pages behind `end`, as far as they can be read; why one cannot is told when it is the first. */
  async function foldOn(
    opens: readonly Open[],
    { end, pagesMax }: { end: Position; pagesMax: number },
  ): Promise<Position> {
    const beganAt = performance.now()
    for (let pages = 1; pages < pagesMax; pages += 1) {
      const documents = opens.reduce((sum, { fold }) => sum + fold.changed(), 0)
      const isEnough = documents >= DOCUMENTS_TOGETHER || performance.now() - beganAt >= TOGETHER_MS
      if (isEnough || stopping.signal.aborted) return end
      const page = await nextPage(opens, end).catch(() => undefined)
      if (!page || page.events.length === 0) return end
      const { events, opened } = page
      for (const [at, { track, fold }] of opens.entries())
        await fold.add({ events: behind(events, track.checkpoint), opened: opened[at] ?? NOTHING_OPENED })
      end = lastPosition(events)
      await othersTurn()
    }
    return end
  }

  async function nextPage(opens: readonly Open[], after: Position) {
    const events: readonly LogEvent[] = await log.readAll({ after, limit: pageSizeOf(pagesTogether) })
    const opened: Opened[] = []
    for (const { build } of opens) opened.push(await openedFor(build.projection, events))
    return { events, opened }
  }

  /** All views in one transaction, which costs as much as that of one. What fails is told when each is folded by itself, a page alone. */
  async function foldedTogether(
    foldings: readonly Folding[],
    pages: { end: Position; pagesMax: number },
  ): Promise<Position | undefined> {
    try {
      return await foldTogether(foldings, pages)
    } catch {
      return undefined
    }
  }

  async function arrive(track: Track, build: Build, end: Position): Promise<void> {
    track.checkpoint = end
    onProgress?.({ collection: build.collection.name, position: end, target: track.target })
    await finishWhenThere(track, build)
    settle(track)
  }

  /** Says whether it serves from now on. */
  async function finishWhenThere(track: Track, build: Build): Promise<boolean> {
    if (track.target === undefined || track.checkpoint < track.target) return false
    await finishBuild(store, build, clock.now())
    track.target = undefined
    return true
  }

  async function openedFor(projection: Projection, events: readonly LogEvent[]): Promise<Opened> {
    if (!projection.opens) return NOTHING_OPENED
    const sealed: RecordedEvent[] = []
    for (const event of events) if (event.type !== 'unreadable' && projection.opens(event)) sealed.push(event)
    if (sealed.length === 0) return NOTHING_OPENED
    try {
      return await log.openPersonal(sealed)
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
    }
    // One of them is damaged; the others are not to suffer.
    const opened = new Map<string, Personal | 'erased' | Error>()
    for (const event of sealed)
      try {
        for (const [id, buyer] of await log.openPersonal([event])) opened.set(id, buyer)
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error
        opened.set(event.id, error)
      }
    return opened
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    while (!signal.aborted) {
      if (await runOnce()) await othersTurn()
      else await Promise.race([idle(signal), aborted])
    }
  }

  /** Beside the folding, since it takes a while; whoever folds next finds who has taken over, and opens that. */
  async function copy(track: Track, build: Build): Promise<void> {
    await attempt([track], async () => {
      await copyBuild(store, build, { signal: stopping.signal, now: () => clock.now() })
    })
    track.copying = undefined
    woken.resolve()
  }

  async function idle(signal: AbortSignal): Promise<void> {
    await clean()
    const living = tracks.filter(({ isRetired }) => !isRetired)
    const sound = living.filter(({ trouble }) => trouble === undefined)
    for (const track of sound)
      if (track.isToBeCopied && !track.copying && track.build && track.target === undefined)
        track.copying = copy(track, track.build)
    if (sound.some(({ build }) => !build)) return
    const retries = living.filter(({ trouble }) => trouble !== undefined)
    const restMs = Math.max(1, Math.min(IDLE_MS, ...retries.map(({ retryAt }) => retryAt - clock.now())))
    if (sound.length === 0) return clock.sleep(restMs)
    const after = lowestCheckpoint(sound)
    woken = Promise.withResolvers<void>()
    await attempt(sound, () => Promise.race([log.waitForEvents({ after, timeoutMs: restMs, signal }), woken.promise]))
  }

  async function clean(): Promise<void> {
    if (clock.now() - cleanedAt < CLEANING_MS) return
    cleanedAt = clock.now()
    for (const track of tracks)
      await attempt([track], async () => {
        await dropOutdated(store, track.projection, clock.now())
        // Whoever asked for it may be gone.
        if (track.build && (await isToBeCopied(store, track.build))) track.isToBeCopied = true
      })
  }

  return {
    runOnce,
    position,
    waitFor: (wanted, timeoutMs, names) => waiters.wait(wanted, timeoutMs, names),

    async start(signal) {
      signal?.addEventListener('abort', () => stopping.abort(), { once: true })
      if (signal?.aborted) stopping.abort()
      running = follow(stopping.signal)
      await running
    },

    async stop() {
      stopping.abort()
      await running
      await Promise.all(tracks.map(async ({ copying }) => copying))
    },

    async status() {
      const statuses: ProjectionStatus[] = []
      for (const track of tracks) {
        const { projection, build, checkpoint, target, trouble } = track
        const { name, version } = projection
        statuses.push({
          name,
          version,
          collection: build?.collection.name,
          position: checkpoint,
          isServing: build !== undefined && target === undefined && !track.isRetired,
          trouble: troubleText(trouble),
          broken: build ? await store.countBroken(build.collection) : 0,
        })
      }
      return statuses
    },
  }
}

const NOTHING_OPENED: Opened = new Map()

/** Those of the events that come after `checkpoint`: most often all of them. */
function behind(events: readonly LogEvent[], checkpoint: Position): readonly LogEvent[] {
  const [first] = events
  return first && first.position > checkpoint ? events : events.filter(({ position }) => position > checkpoint)
}

function lowestCheckpoint([first, ...others]: readonly Track[]): Position {
  let lowest = first?.checkpoint ?? START
  for (const { checkpoint } of others) if (checkpoint < lowest) lowest = checkpoint
  return lowest
}

function troubleText(trouble: unknown): string | undefined {
  if (trouble === undefined) return undefined
  return trouble instanceof Error ? `${trouble.name}: ${trouble.message}` : 'unknown'
}

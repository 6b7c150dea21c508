import { setImmediate as othersTurn } from 'node:timers/promises'
import type { EventLog } from '../event-store/event-log.ts'
import { lastPosition } from '../event-store/event-log.ts'
import { type Position, START } from '../event-store/event-store.ts'
import type { LogEvent, Projection } from '../projections/projection.ts'
import type { ViewStore, Write } from '../view-store/view-store.ts'
import {
  type Build,
  checkpointMark,
  checkpointOf,
  dropOutdated,
  finishBuild,
  isDropped,
  isSuperseded,
  openBuild,
} from './builds.ts'
import { type Fold, foldInto } from './fold.ts'
import { openedBuyers } from './opened-buyers.ts'
import { positionWaiters } from './position-waiters.ts'

/** Events read and folded at once. */
const PAGE = 1_000
/** While all views are being built, pages are folded on until so many documents are to be written, so that most are written once. */
const DOCUMENTS_TOGETHER = 10_000
/** Others who write to the views wait for it. */
const TOGETHER_MS = 1_000
/** A log that grows without a notice is looked at this often all the same. */
const IDLE_MS = 5_000
const RETRY_MS = 50
const RETRY_MS_MAX = 5_000
/** A collection that was dropped may come back by a late write. */
const CLEANING_MS = 3_600_000

export interface RunnerOptions {
  readonly log: Pick<EventLog, 'readAll' | 'head' | 'waitForEvents' | 'openPersonal'>
  readonly store: ViewStore
  /** Several versions of one name are kept up side by side. */
  readonly projections: readonly Projection[]
  readonly clock: { now(): number; sleep(ms: number): Promise<void> }
  readonly pageSize?: number
  /** Documents that are written together while all views are being built; one where pages have a size of their own. */
  readonly documentsTogether?: number
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

/** A projection, and how this runner stands with it. */
interface Track {
  readonly projection: Projection
  build: Build | undefined
  checkpoint: Position
  /** Undefined once it serves. */
  target: Position | undefined
  isRetired: boolean
  failures: number
  trouble: unknown
  retryAt: number
}

type OpenTrack = Track & { readonly build: Build }

interface Folding {
  readonly track: OpenTrack
  readonly fold: Fold
}

export function projectionRunner(options: RunnerOptions): Runner {
  const { clock, onMoved } = options
  const tracks = options.projections.map(newTrack)
  const position = (names?: readonly string[]): Position => positionOf(tracks, names)
  const waiters = positionWaiters(position)
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()

  const { runOnce, tidy, rest } = turnsOf(options, tracks, {
    stopping: stopping.signal,
    moved() {
      waiters.wake()
      onMoved?.()
    },
  })

  async function follow(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    let tidiedAt = clock.now()
    while (!signal.aborted) {
      if (await runOnce()) {
        await othersTurn()
        continue
      }
      const isCleaningDue = clock.now() - tidiedAt >= CLEANING_MS
      if (isCleaningDue) tidiedAt = clock.now()
      await tidy({ isCleaningDue })
      await Promise.race([rest(signal), aborted])
    }
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
    },

    status: async () => Promise.all(tracks.map(async (track) => statusOf(options.store, track))),
  }
}

/** What a runner does with its tracks, one turn after the other. */
function turnsOf(
  options: RunnerOptions,
  tracks: readonly Track[],
  { stopping, moved }: { stopping: AbortSignal; moved: () => void },
) {
  const { log, store, clock, pageSize = PAGE, onProgress, onTrouble } = options
  const { documentsTogether = options.pageSize === undefined ? DOCUMENTS_TOGETHER : 1 } = options

  async function runOnce(): Promise<boolean> {
    for (const track of due()) if (!track.build) await attempt([track], () => open(track))
    const opened = due().filter(isOpen)
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
        track.retryAt = clock.now() + Math.min(RETRY_MS * 2 ** track.failures, RETRY_MS_MAX)
        track.failures += 1
        track.trouble = error
        const { name, version } = track.projection
        onTrouble?.({ collection: track.build?.collection.name ?? `${name}@${version}`, error })
      }
      return false
    }
  }

  async function open(track: Track): Promise<void> {
    const { build, target } = await openBuild(store, track.projection, {
      head: () => log.head(),
      now: () => clock.now(),
    })
    const checkpoint = await checkpointOf(store, build.collection)
    const opened = Object.assign(track, { build, target, checkpoint })
    await finishWhenThere(opened)
    settle(track)
    // It may be where somebody waits for it already.
    moved()
  }

  /** One page, or where all views are being built some that are written together, for those whose next event lies in the first. */
  async function foldFrom(after: Position, opened: readonly OpenTrack[]): Promise<boolean> {
    const concerned = opened.filter(({ checkpoint }) => checkpoint >= after)
    const first = await page(after, concerned)
    if (!first) return false
    let foldings = await begun(concerned, lastPosition(first))
    let events = first
    let end = after
    const areAllBuilt = opened.every(({ target }) => target !== undefined)
    const until = performance.now() + TOGETHER_MS
    while (events.length > 0) {
      foldings = await addedTo(foldings, events)
      end = lastPosition(events)
      const documents = foldings.reduce((sum, { fold }) => sum + fold.changed(), 0)
      const mayGoOn = areAllBuilt && documents < documentsTogether && performance.now() < until
      if (!mayGoOn || foldings.length === 0 || stopping.aborted) break
      await othersTurn()
      events = (await page(end, [])) ?? []
    }
    await write(foldings, end)
    return first.length > 0
  }

  async function page(after: Position, concerned: readonly Track[]): Promise<readonly LogEvent[] | undefined> {
    let events: readonly LogEvent[] | undefined
    await attempt(concerned, async () => {
      events = await log.readAll({ after, limit: pageSize })
    })
    return events
  }

  /** For those that have something to fold before `end`, and whose build is still the one to be kept up. */
  async function begun(concerned: readonly OpenTrack[], end: Position): Promise<Folding[]> {
    const foldings: Folding[] = []
    for (const track of concerned)
      await attempt([track], async () => {
        // Where nothing happens, nobody else would find a view wiped.
        if (await hasLost(track)) return moved()
        if (track.checkpoint < end) {
          foldings.push({ track, fold: foldInto(track.build, store) })
          return
        }
        if (await finishWhenThere(track)) moved()
        settle(track)
      })
    return foldings
  }

  async function hasLost(track: OpenTrack): Promise<boolean> {
    if (!(await isDropped(store, track.build, clock.now()))) return false
    // A newer release has taken over, or this one is to build it anew.
    const isRetired = await isSuperseded(store, track.build)
    Object.assign(track, { isRetired, build: undefined, checkpoint: START })
    return true
  }

  /** Answers those that could fold the events; the others begin again from their checkpoints. */
  async function addedTo(foldings: readonly Folding[], page: readonly LogEvent[]): Promise<Folding[]> {
    const sound: Folding[] = []
    for (const folding of foldings) {
      const { track, fold } = folding
      const isAdded = await attempt([track], async () => {
        const events = page.filter(({ position }) => position > track.checkpoint)
        await fold.add({ events, opened: await openedBuyers(log, track.projection, events) })
      })
      if (isAdded) sound.push(folding)
    }
    return sound
  }

  /** All at once, which costs as much as one; where that fails, each by itself. */
  async function write(foldings: readonly Folding[], end: Position): Promise<void> {
    const ready: { readonly track: OpenTrack; readonly writes: readonly Write[] }[] = []
    for (const { track, fold } of foldings)
      await attempt([track], async () => {
        ready.push({ track, writes: await fold.writes(checkpointMark(track.build, end)) })
      })
    const isWritten = await store.write(ready.flatMap(({ writes }) => writes)).then(
      () => true,
      () => false,
    )
    for (const { track, writes } of ready)
      await attempt([track], async () => {
        if (!isWritten) await store.write(writes)
        track.checkpoint = end
        onProgress?.({ collection: track.build.collection.name, position: end, target: track.target })
        await finishWhenThere(track)
        settle(track)
      })
    if (ready.length > 0) moved()
  }

  /** Says whether it serves from now on. */
  async function finishWhenThere(track: OpenTrack): Promise<boolean> {
    if (track.target === undefined || track.checkpoint < track.target) return false
    await finishBuild(store, track.build, clock.now())
    track.target = undefined
    return true
  }

  /** Between two pages: leaves no byte of what was erased, and from time to time drops what came back. */
  async function tidy({ isCleaningDue }: { isCleaningDue: boolean }): Promise<void> {
    const personal = tracks.filter(({ projection, build }) => projection.isPersonal === true && build)
    if (personal.length > 0) await attempt(personal, () => store.wipe())
    if (!isCleaningDue) return
    for (const track of tracks) await attempt([track], () => dropOutdated(store, track.projection, clock.now()))
  }

  /** Until the log grows, or what failed is to be tried again. */
  async function rest(signal: AbortSignal): Promise<void> {
    const running = tracks.filter(({ isRetired }) => !isRetired)
    const sound = running.filter(({ trouble }) => trouble === undefined)
    if (sound.some(({ build }) => !build)) return
    const retries = running.filter(({ trouble }) => trouble !== undefined)
    const restMs = Math.max(1, Math.min(IDLE_MS, ...retries.map(({ retryAt }) => retryAt - clock.now())))
    if (sound.length === 0) return clock.sleep(restMs)
    const after = lowestCheckpoint(sound)
    await attempt(sound, () => log.waitForEvents({ after, timeoutMs: restMs, signal }))
  }

  return { runOnce, tidy, rest }
}

function newTrack(projection: Projection): Track {
  return {
    projection,
    build: undefined,
    checkpoint: START,
    target: undefined,
    isRetired: false,
    failures: 0,
    trouble: undefined,
    retryAt: 0,
  }
}

function isOpen(track: Track): track is OpenTrack {
  return track.build !== undefined
}

function settle(track: Track): void {
  Object.assign(track, { failures: 0, trouble: undefined, retryAt: 0 })
}

function positionOf(tracks: readonly Track[], names: readonly string[] | undefined): Position {
  const serving = new Set(tracks.filter(isServing).map(({ projection }) => projection.name))
  return lowestCheckpoint(
    tracks.filter(
      (track) =>
        !track.isRetired &&
        (names?.includes(track.projection.name) ?? true) &&
        // Of several versions those count that answer.
        (isServing(track) || !serving.has(track.projection.name)),
    ),
  )
}

function isServing({ build, target }: Track): boolean {
  return build !== undefined && target === undefined
}

function lowestCheckpoint(tracks: readonly Track[]): Position {
  const [first, ...others] = tracks.map(({ checkpoint }) => checkpoint)
  return others.reduce((lowest, checkpoint) => (checkpoint < lowest ? checkpoint : lowest), first ?? START)
}

async function statusOf(store: ViewStore, track: Track): Promise<ProjectionStatus> {
  const { projection, build, checkpoint, trouble } = track
  return {
    name: projection.name,
    version: projection.version,
    collection: build?.collection.name,
    position: checkpoint,
    isServing: isServing(track) && !track.isRetired,
    trouble: troubleText(trouble),
    broken: build ? await store.countBroken(build.collection) : 0,
  }
}

function troubleText(trouble: unknown): string | undefined {
  if (trouble === undefined) return undefined
  return trouble instanceof Error ? `${trouble.name}: ${trouble.message}` : 'unknown'
}

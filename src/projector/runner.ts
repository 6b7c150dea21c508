import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EventLog } from '../event-store/event-log.ts'
import { lastPosition } from '../event-store/event-log.ts'
import { type Position, START } from '../event-store/event-store.ts'
import type { LogEvent, Projection } from '../projections/projection.ts'
import { type ViewStore, type Write, WriteConflict } from '../view-store/view-store.ts'
import {
  type Beside,
  type Build,
  checkpointMark,
  checkpointOf,
  claimViews,
  dropBeside,
  dropOutdated,
  finishBuild,
  isOvertaken,
  isSuperseded,
  openBeside,
  openBuild,
  standingOf,
  takeOver,
} from './builds.ts'
import { type Fold, foldInto } from './fold.ts'
import { openedBuyers } from './opened-buyers.ts'
import { positionWaiters } from './position-waiters.ts'

/** Events read and folded at once. */
const PAGE = 1_000
/** While all views are being built, pages are folded together until this many documents have changed, so that most are written once. */
const DOCUMENTS_TOGETHER = 10_000
/** After this time no further page joins a write, since other writers of the views wait for it. */
const TOGETHER_MS = 1_000
/** Poll interval of the log, in case a notice is missed. */
const IDLE_MS = 5_000
const RETRY_MS = 50
const RETRY_MS_MAX = 5_000
/** Interval of the check for dropped collections that a late write has recreated. */
const CLEANING_MS = 3_600_000
/** How long a former build is still updated: longer than its readers cache which build to read, and than a request lasts. */
const FORMER_MS = 60_000

export interface RunnerOptions {
  readonly log: Pick<EventLog, 'readAll' | 'head' | 'waitForEvents' | 'openPersonal'>
  readonly store: ViewStore
  /** Which log the views are of. */
  readonly logId?: string
  /** Several versions of one name are kept up side by side. */
  readonly projections: readonly Projection[]
  readonly clock: { now(): number; sleep(ms: number): Promise<void> }
  readonly pageSize?: number
  /** Changed documents at which a write is made while all views are being built; by default 1 where `pageSize` is set. */
  readonly documentsTogether?: number
  /** A view's checkpoint was raised; `target` while it is being built. */
  readonly onProgress?: (progress: { collection: string; position: Position; target: Position | undefined }) => void
  /** The result of `position(names)` may have changed. */
  readonly onMoved?: () => void
  /** An engine or the vault is away; the runner retries. Must not throw. */
  readonly onTrouble?: (trouble: { view: string; collection: string; error: unknown }) => void
  /** A view that was in trouble is kept up again. */
  readonly onRecovered?: (recovered: { view: string }) => void
}

export interface ProjectionStatus {
  readonly name: string
  readonly version: number
  readonly collection: string | undefined
  readonly position: Position
  readonly isServing: boolean
  /** Why it is stuck; undefined otherwise. */
  readonly trouble: string | undefined
  /** Documents that an event has broken, at most 1,000. */
  readonly broken: number
}

/** Keeps the views current. Any number of runners may work on the same views at the same time. */
export interface Runner {
  /** Folds one page after the highest checkpoint and one after the lowest; true where either had events. Never throws. */
  runOnce(): Promise<boolean>
  /** Folds until `signal` is aborted or `stop` is called, through outages of engines and vault. */
  start(signal?: AbortSignal): Promise<void>
  /** Resolves when the running page is done. */
  stop(): Promise<void>
  /** The position that all views, or those of these names, have reached. */
  position(names?: readonly string[]): Position
  /** True as soon as `position(names)` is there; false when `timeoutMs` passed before. */
  waitFor(position: Position, timeoutMs: number, names?: readonly string[]): Promise<boolean>
  status(): Promise<ProjectionStatus[]>
}

/** A projection, and how this runner stands with it. */
interface Track {
  readonly projection: Projection
  /** Only of a build beside another one: the track of that one. */
  readonly main?: Track
  /** Only of a build beside another one: its collection. */
  readonly collectionName?: string
  /** Since when it is known as a former build. */
  readonly formerSince?: number | undefined
  beside?: Track | undefined
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

  const context: Context = {
    pageSize: PAGE,
    documentsTogether: options.pageSize === undefined ? DOCUMENTS_TOGETHER : 1,
    ...options,
    tracks,
    stopping: stopping.signal,
    moved() {
      waiters.wake()
      onMoved?.()
    },
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    let cleanedAt = clock.now()
    while (!signal.aborted) {
      if (await runOnce(context)) {
        await yieldToEventLoop()
        continue
      }
      const isCleaningDue = clock.now() - cleanedAt >= CLEANING_MS
      if (isCleaningDue) cleanedAt = clock.now()
      await cleanUp(context, { isCleaningDue })
      await Promise.race([idle(context, signal), aborted])
    }
  }

  return {
    runOnce: async () => runOnce(context),
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

/** What the functions of one runner share. */
interface Context extends RunnerOptions {
  readonly tracks: readonly Track[]
  readonly pageSize: number
  readonly documentsTogether: number
  readonly stopping: AbortSignal
  /** The position of a track has changed. */
  readonly moved: () => void
}

async function runOnce(context: Context): Promise<boolean> {
  for (const track of dueTracks(context)) if (!track.build) await attempt(context, [track], () => open(context, track))
  const opened = dueTracks(context).filter(isOpen)
  const [front, ...behind] = [...new Set(opened.map(({ checkpoint }) => checkpoint))].toSorted().toReversed()
  if (front === undefined) return false
  const isAhead = await foldFrom(context, front, opened)
  // Views that are behind catch up beside the current ones, not before them.
  const slowest = behind.at(-1)
  return (slowest !== undefined && (await foldFrom(context, slowest, opened.filter(isOpen)))) || isAhead
}

function dueTracks({ tracks, clock }: Context): Track[] {
  const now = clock.now()
  return withBesides(tracks).filter(({ isRetired, retryAt }) => !isRetired && retryAt <= now)
}

/** Failures here are the engines', never an event's: retried with backoff. */
async function attempt(
  { clock, onTrouble }: Context,
  concerned: readonly Track[],
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    for (const track of concerned) {
      track.retryAt = clock.now() + Math.min(RETRY_MS * 2 ** track.failures, RETRY_MS_MAX)
      track.failures += 1
      track.trouble = error
      const view = viewOf(track)
      onTrouble?.({ view, collection: track.build?.collection.name ?? view, error })
    }
    return false
  }
}

async function open(context: Context, track: Track): Promise<void> {
  const { log, logId, store, clock, moved } = context
  if (logId !== undefined) await claimViews(store, logId)
  const end = { head: async () => log.head(), now: () => clock.now() }
  const found = await (track.main ? openBeside : openBuild)(store, track.projection, end)
  if (!found) return void Object.assign(track.main ?? {}, { beside: undefined })
  const { build, target } = found
  const checkpoint = await checkpointOf(store, build.collection)
  const opened = Object.assign(track, { build, target, checkpoint })
  if (!track.main) {
    const { beside } = await standingOf(store, build, clock.now())
    track.beside = trackBeside(track, beside, clock.now())
  }
  await serveWhenCaughtUp(context, opened)
  clearTrouble(context, track)
  // It may have reached a position that a request waits for.
  moved()
}

/** Folds and writes the page after a position; several together while all views are being built. Tracks whose checkpoint lies beyond the first page sit out. */
async function foldFrom(context: Context, after: Position, opened: readonly OpenTrack[]): Promise<boolean> {
  const { documentsTogether, stopping } = context
  const concerned = opened.filter(({ checkpoint }) => checkpoint >= after)
  const first = await readPage(context, after, concerned)
  if (!first) return false
  let foldings = await startFolds(context, concerned, lastPosition(first))
  let events = first
  let end = after
  const areAllBuilding = opened.every(({ target }) => target !== undefined)
  const until = performance.now() + TOGETHER_MS
  while (events.length > 0) {
    foldings = await addPage(context, foldings, events)
    end = lastPosition(events)
    const documents = foldings.reduce((sum, { fold }) => sum + fold.changed(), 0)
    const mayGoOn = areAllBuilding && documents < documentsTogether && performance.now() < until
    if (!mayGoOn || foldings.length === 0 || stopping.aborted) break
    await yieldToEventLoop()
    events = (await readPage(context, end, [])) ?? []
  }
  await write(context, foldings, end)
  return first.length > 0
}

async function readPage(
  context: Context,
  after: Position,
  concerned: readonly Track[],
): Promise<readonly LogEvent[] | undefined> {
  let events: readonly LogEvent[] | undefined
  await attempt(context, concerned, async () => {
    events = await context.log.readAll({ after, limit: context.pageSize })
  })
  return events
}

/** Starts a fold for each track whose checkpoint lies before `end` and whose build is still to be updated. */
async function startFolds(context: Context, concerned: readonly OpenTrack[], end: Position): Promise<Folding[]> {
  const { store, moved } = context
  const foldings: Folding[] = []
  for (const track of concerned)
    await attempt(context, [track], async () => {
      // Without these checks an idle shop would not notice that its views were wiped or put back.
      if ((await refreshStanding(context, track)) || (await refreshCheckpoint(context, track))) return moved()
      if (track.checkpoint < end) {
        foldings.push({ track, fold: foldInto(track.build, store) })
        return
      }
      if (await serveWhenCaughtUp(context, track)) moved()
      clearTrouble(context, track)
    })
  return foldings
}

/** Reads which build is current; true where this changed the track, which must not fold now. */
async function refreshStanding(context: Context, track: OpenTrack): Promise<boolean> {
  if (track.main) return endFormer(context, track)
  const { store, clock } = context
  const { isCurrent, isBeside, beside } = await standingOf(store, track.build, clock.now())
  track.beside = isCurrent ? trackBeside(track, beside, clock.now()) : undefined
  if (isCurrent) return false
  if (isBeside && beside?.isFormer) {
    becomeFormer(track, clock.now())
    return true
  }
  // A newer release has taken over, or this one is to build it anew.
  const isRetired = await isSuperseded(store, track.build)
  Object.assign(track, { isRetired, build: undefined, checkpoint: START })
  return true
}

function trackBeside(main: Track, beside: Beside | undefined, nowMs: number): Track | undefined {
  if (!beside) return undefined
  const { name: collectionName } = beside.collection
  if (main.beside?.collectionName === collectionName) return main.beside
  return { ...newTrack(main.projection), main, collectionName, formerSince: beside.isFormer ? nowMs : undefined }
}

/** After the build beside has taken over: this one is kept up as the former, and the track opens the new one next. */
function becomeFormer(track: OpenTrack, nowMs: number): void {
  const { projection, build, checkpoint } = track
  const former = { ...newTrack(projection), main: track, collectionName: build.collection.name, formerSince: nowMs }
  Object.assign(track, { build: undefined, beside: { ...former, build, checkpoint } })
}

/** Drops a former build after `FORMER_MS`; true where it did. */
async function endFormer({ store, clock }: Context, { main, build, formerSince }: OpenTrack): Promise<boolean> {
  if (formerSince === undefined || clock.now() - formerSince < FORMER_MS) return false
  if (!(await isOvertaken(store, build)) || !(await dropBeside(store, build, clock.now()))) return false
  if (main) main.beside = undefined
  return true
}

/** True where the stored checkpoint differs: another projector moved it up, or the store lost its last writes. */
async function refreshCheckpoint({ store }: Context, track: OpenTrack): Promise<boolean> {
  const checkpoint = await checkpointOf(store, track.build.collection)
  if (checkpoint === track.checkpoint) return false
  // Opening the build again restores what else was lost: indexes, and the mark that it serves.
  if (checkpoint < track.checkpoint) Object.assign(track, { build: undefined })
  track.checkpoint = checkpoint
  return true
}

/** Adds a page to each fold. A fold that fails is left out, and begins again at its checkpoint. */
async function addPage(context: Context, foldings: readonly Folding[], page: readonly LogEvent[]): Promise<Folding[]> {
  const healthy: Folding[] = []
  for (const folding of foldings) {
    const { track, fold } = folding
    const isAdded = await attempt(context, [track], async () => {
      const events = page.filter(({ position }) => position > track.checkpoint)
      await fold.add({ events, opened: await openedBuyers(context.log, track.projection, events) })
    })
    if (isAdded) healthy.push(folding)
  }
  return healthy
}

/** In one write of the store; where it fails, one by one. */
async function write(context: Context, foldings: readonly Folding[], end: Position): Promise<void> {
  const { store, onProgress, moved } = context
  const ready: { readonly track: OpenTrack; readonly writes: readonly Write[] }[] = []
  for (const { track, fold } of foldings)
    await attempt(context, [track], async () => {
      const writes = await fold.writes(checkpointMark(track.build, { from: track.checkpoint, to: end }))
      // Checked after the documents were loaded: where it has moved, they may be of another position.
      if (!(await refreshCheckpoint(context, track))) ready.push({ track, writes })
    })
  const isWritten = await store.write(ready.flatMap(({ writes }) => writes)).then(
    () => true,
    () => false,
  )
  for (const { track, writes } of ready)
    await attempt(context, [track], async () => {
      if (!isWritten && !(await isWrittenAlone(store, writes))) return void (await refreshCheckpoint(context, track))
      track.checkpoint = end
      onProgress?.({ collection: track.build.collection.name, position: end, target: track.target })
      await serveWhenCaughtUp(context, track)
      clearTrouble(context, track)
    })
  if (foldings.length > 0) moved()
}

async function isWrittenAlone(store: ViewStore, writes: readonly Write[]): Promise<boolean> {
  try {
    await store.write(writes)
    return true
  } catch (error) {
    if (error instanceof WriteConflict) return false
    throw error
  }
}

/** Lets a build that has reached its target serve; true where it does so from now on. */
async function serveWhenCaughtUp({ store, clock }: Context, track: OpenTrack): Promise<boolean> {
  if (track.target === undefined || track.checkpoint < track.target) return false
  if (track.main) {
    if (!(await takeOver(store, track.build, clock.now()))) return false
    if (isOpen(track.main)) becomeFormer(track.main, clock.now())
    return true
  }
  await finishBuild(store, track.build, clock.now())
  track.target = undefined
  return true
}

/** Wipes erased bytes; every `CLEANING_MS` also drops collections that a late write has recreated. */
async function cleanUp(context: Context, { isCleaningDue }: { isCleaningDue: boolean }): Promise<void> {
  const { tracks, store, clock } = context
  const personal = tracks.filter(({ projection, build }) => projection.isPersonal === true && build)
  if (personal.length > 0) await attempt(context, personal, () => store.wipe())
  if (!isCleaningDue) return
  for (const track of tracks) await attempt(context, [track], () => dropOutdated(store, track.projection, clock.now()))
}

/** Waits until the log grows or a retry is due. */
async function idle(context: Context, signal: AbortSignal): Promise<void> {
  const { tracks, log, clock } = context
  const running = withBesides(tracks).filter(({ isRetired }) => !isRetired)
  const healthy = running.filter(({ trouble }) => trouble === undefined)
  if (healthy.some(({ build }) => !build)) return
  const retries = running.filter(({ trouble }) => trouble !== undefined)
  const restMs = Math.max(1, Math.min(IDLE_MS, ...retries.map(({ retryAt }) => retryAt - clock.now())))
  if (healthy.length === 0) return clock.sleep(restMs)
  const after = lowestCheckpoint(healthy)
  await attempt(context, healthy, () => log.waitForEvents({ after, timeoutMs: restMs, signal }))
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

function withBesides(tracks: readonly Track[]): Track[] {
  return tracks.flatMap((track) => (track.beside && !track.isRetired ? [track, track.beside] : [track]))
}

function isOpen(track: Track): track is OpenTrack {
  return track.build !== undefined
}

function viewOf({ projection: { name, version } }: Track): string {
  return `${name}@${version}`
}

function clearTrouble({ onRecovered }: Context, track: Track): void {
  if (track.trouble !== undefined) onRecovered?.({ view: viewOf(track) })
  Object.assign(track, { failures: 0, trouble: undefined, retryAt: 0 })
}

function positionOf(tracks: readonly Track[], names: readonly string[] | undefined): Position {
  const serving = new Set(tracks.filter(isServing).map(({ projection }) => projection.name))
  return lowestCheckpoint(
    withBesides(tracks).filter(
      (track) =>
        !track.isRetired &&
        (names?.includes(track.projection.name) ?? true) &&
        // Of several versions only those that serve count. A former build still serves readers that have not learned of the new one.
        (track.main ? track.formerSince !== undefined : isServing(track) || !serving.has(track.projection.name)),
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

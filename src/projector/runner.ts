import { setImmediate as othersTurn } from 'node:timers/promises'
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
  /** The track of the build that it stands beside. */
  readonly of?: Track
  /** Since when it is known as a former build. */
  readonly formerSince?: number | undefined
  /** The name of its build. */
  readonly wanted?: string
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

  const turns: Turns = {
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
    let tidiedAt = clock.now()
    while (!signal.aborted) {
      if (await runOnce(turns)) {
        await othersTurn()
        continue
      }
      const isCleaningDue = clock.now() - tidiedAt >= CLEANING_MS
      if (isCleaningDue) tidiedAt = clock.now()
      await tidy(turns, { isCleaningDue })
      await Promise.race([rest(turns, signal), aborted])
    }
  }

  return {
    runOnce: async () => runOnce(turns),
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

/** What a runner needs in each of its turns. */
interface Turns extends RunnerOptions {
  readonly tracks: readonly Track[]
  readonly pageSize: number
  readonly documentsTogether: number
  readonly stopping: AbortSignal
  /** The position of a track has changed. */
  readonly moved: () => void
}

async function runOnce(turns: Turns): Promise<boolean> {
  for (const track of due(turns)) if (!track.build) await attempt(turns, [track], () => open(turns, track))
  const opened = due(turns).filter(isOpen)
  const [front, ...behind] = [...new Set(opened.map(({ checkpoint }) => checkpoint))].toSorted().toReversed()
  if (front === undefined) return false
  const isAhead = await foldFrom(turns, front, opened)
  // Views that are behind catch up beside the current ones, not before them.
  const slowest = behind.at(-1)
  return (slowest !== undefined && (await foldFrom(turns, slowest, opened.filter(isOpen)))) || isAhead
}

function due({ tracks, clock }: Turns): Track[] {
  const now = clock.now()
  return withBesides(tracks).filter(({ isRetired, retryAt }) => !isRetired && retryAt <= now)
}

/** Failures here are the engines', never an event's: retried with backoff. */
async function attempt(
  { clock, onTrouble }: Turns,
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

async function open(turns: Turns, track: Track): Promise<void> {
  const { log, logId, store, clock, moved } = turns
  if (logId !== undefined) await claimViews(store, logId)
  const end = { head: async () => log.head(), now: () => clock.now() }
  const found = await (track.of ? openBeside : openBuild)(store, track.projection, end)
  if (!found) return void Object.assign(track.of ?? {}, { beside: undefined })
  const { build, target } = found
  const checkpoint = await checkpointOf(store, build.collection)
  const opened = Object.assign(track, { build, target, checkpoint })
  if (!track.of) {
    const { beside } = await standingOf(store, build, clock.now())
    track.beside = trackBeside(track, beside, clock.now())
  }
  await finishWhenThere(turns, opened)
  settle(turns, track)
  // It may have reached a position that a request waits for.
  moved()
}

/** One page, or where all views are being built some that are written together, for those whose next event lies in the first. */
async function foldFrom(turns: Turns, after: Position, opened: readonly OpenTrack[]): Promise<boolean> {
  const { documentsTogether, stopping } = turns
  const concerned = opened.filter(({ checkpoint }) => checkpoint >= after)
  const first = await page(turns, after, concerned)
  if (!first) return false
  let foldings = await begun(turns, concerned, lastPosition(first))
  let events = first
  let end = after
  const areAllBuilding = opened.every(({ target }) => target !== undefined)
  const until = performance.now() + TOGETHER_MS
  while (events.length > 0) {
    foldings = await addedTo(turns, foldings, events)
    end = lastPosition(events)
    const documents = foldings.reduce((sum, { fold }) => sum + fold.changed(), 0)
    const mayGoOn = areAllBuilding && documents < documentsTogether && performance.now() < until
    if (!mayGoOn || foldings.length === 0 || stopping.aborted) break
    await othersTurn()
    events = (await page(turns, end, [])) ?? []
  }
  await write(turns, foldings, end)
  return first.length > 0
}

async function page(
  turns: Turns,
  after: Position,
  concerned: readonly Track[],
): Promise<readonly LogEvent[] | undefined> {
  let events: readonly LogEvent[] | undefined
  await attempt(turns, concerned, async () => {
    events = await turns.log.readAll({ after, limit: turns.pageSize })
  })
  return events
}

/** Starts a fold for each track whose checkpoint lies before `end` and whose build is still to be updated. */
async function begun(turns: Turns, concerned: readonly OpenTrack[], end: Position): Promise<Folding[]> {
  const { store, moved } = turns
  const foldings: Folding[] = []
  for (const track of concerned)
    await attempt(turns, [track], async () => {
      // In an idle shop only these checks notice views that were wiped or went back.
      if ((await refreshStanding(turns, track)) || (await refreshCheckpoint(turns, track))) return moved()
      if (track.checkpoint < end) {
        foldings.push({ track, fold: foldInto(track.build, store) })
        return
      }
      if (await finishWhenThere(turns, track)) moved()
      settle(turns, track)
    })
  return foldings
}

/** Reads which build is current; true where the track was changed by it and must not fold now. */
async function refreshStanding(turns: Turns, track: OpenTrack): Promise<boolean> {
  // A build beside is looked after by the track that it belongs to.
  if (track.of) return endFormer(turns, track)
  const { store, clock } = turns
  const { isCurrent, isBeside, beside } = await standingOf(store, track.build, clock.now())
  track.beside = isCurrent ? trackBeside(track, beside, clock.now()) : undefined
  if (isCurrent) return false
  if (isBeside && beside?.isFormer) {
    stepBack(track, clock.now())
    return true
  }
  // A newer release has taken over, or this one is to build it anew.
  const isRetired = await isSuperseded(store, track.build)
  Object.assign(track, { isRetired, build: undefined, checkpoint: START })
  return true
}

function trackBeside(of: Track, beside: Beside | undefined, nowMs: number): Track | undefined {
  if (!beside || of.beside?.wanted === beside.collection.name) return beside && of.beside
  const formerSince = beside.isFormer ? nowMs : undefined
  return { ...newTrack(of.projection), of, wanted: beside.collection.name, formerSince }
}

/** The build beside has taken over: this one becomes the former, and the track opens the other one next. */
function stepBack(track: OpenTrack, nowMs: number): void {
  const { projection, build, checkpoint } = track
  const former = { ...newTrack(projection), of: track, wanted: build.collection.name, formerSince: nowMs }
  Object.assign(track, { build: undefined, beside: { ...former, build, checkpoint } })
}

/** Drops a former build that was kept up for long enough; answers whether it did. */
async function endFormer({ store, clock }: Turns, { of, build, formerSince }: OpenTrack): Promise<boolean> {
  if (formerSince === undefined || clock.now() - formerSince < FORMER_MS) return false
  if (!(await isOvertaken(store, build)) || !(await dropBeside(store, build, clock.now()))) return false
  if (of) of.beside = undefined
  return true
}

/** True where the stored checkpoint differs: another projector moved it up, or the store lost its last writes. */
async function refreshCheckpoint({ store }: Turns, track: OpenTrack): Promise<boolean> {
  const checkpoint = await checkpointOf(store, track.build.collection)
  if (checkpoint === track.checkpoint) return false
  // Opening the build again restores what else was lost: indexes, and the mark that it serves.
  if (checkpoint < track.checkpoint) Object.assign(track, { build: undefined })
  track.checkpoint = checkpoint
  return true
}

/** Answers those that could fold the events; the others begin again from their checkpoints. */
async function addedTo(turns: Turns, foldings: readonly Folding[], page: readonly LogEvent[]): Promise<Folding[]> {
  const sound: Folding[] = []
  for (const folding of foldings) {
    const { track, fold } = folding
    const isAdded = await attempt(turns, [track], async () => {
      const events = page.filter(({ position }) => position > track.checkpoint)
      await fold.add({ events, opened: await openedBuyers(turns.log, track.projection, events) })
    })
    if (isAdded) sound.push(folding)
  }
  return sound
}

/** All at once, at the cost of one; after a failure, one by one. */
async function write(turns: Turns, foldings: readonly Folding[], end: Position): Promise<void> {
  const { store, onProgress, moved } = turns
  const ready: { readonly track: OpenTrack; readonly writes: readonly Write[] }[] = []
  for (const { track, fold } of foldings)
    await attempt(turns, [track], async () => {
      const writes = await fold.writes(checkpointMark(track.build, { from: track.checkpoint, to: end }))
      // Read after the documents: these were loaded while the store had all up to the checkpoint, or are refused.
      if (!(await refreshCheckpoint(turns, track))) ready.push({ track, writes })
    })
  const isWritten = await store.write(ready.flatMap(({ writes }) => writes)).then(
    () => true,
    () => false,
  )
  for (const { track, writes } of ready)
    await attempt(turns, [track], async () => {
      if (!isWritten && !(await isWrittenAlone(store, writes))) return void (await refreshCheckpoint(turns, track))
      track.checkpoint = end
      onProgress?.({ collection: track.build.collection.name, position: end, target: track.target })
      await finishWhenThere(turns, track)
      settle(turns, track)
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

/** Says whether it serves from now on. */
async function finishWhenThere({ store, clock }: Turns, track: OpenTrack): Promise<boolean> {
  if (track.target === undefined || track.checkpoint < track.target) return false
  if (track.of) {
    if (!(await takeOver(store, track.build, clock.now()))) return false
    if (isOpen(track.of)) stepBack(track.of, clock.now())
    return true
  }
  await finishBuild(store, track.build, clock.now())
  track.target = undefined
  return true
}

/** Between two pages: wipes erased bytes, and now and then drops recreated collections. */
async function tidy(turns: Turns, { isCleaningDue }: { isCleaningDue: boolean }): Promise<void> {
  const { tracks, store, clock } = turns
  const personal = tracks.filter(({ projection, build }) => projection.isPersonal === true && build)
  if (personal.length > 0) await attempt(turns, personal, () => store.wipe())
  if (!isCleaningDue) return
  for (const track of tracks) await attempt(turns, [track], () => dropOutdated(store, track.projection, clock.now()))
}

/** Waits until the log grows or a retry is due. */
async function rest(turns: Turns, signal: AbortSignal): Promise<void> {
  const { tracks, log, clock } = turns
  const running = withBesides(tracks).filter(({ isRetired }) => !isRetired)
  const sound = running.filter(({ trouble }) => trouble === undefined)
  if (sound.some(({ build }) => !build)) return
  const retries = running.filter(({ trouble }) => trouble !== undefined)
  const restMs = Math.max(1, Math.min(IDLE_MS, ...retries.map(({ retryAt }) => retryAt - clock.now())))
  if (sound.length === 0) return clock.sleep(restMs)
  const after = lowestCheckpoint(sound)
  await attempt(turns, sound, () => log.waitForEvents({ after, timeoutMs: restMs, signal }))
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

function settle({ onRecovered }: Turns, track: Track): void {
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
        // Of several versions those count that answer. A former build still answers those who know of no other.
        (track.of ? track.formerSince !== undefined : isServing(track) || !serving.has(track.projection.name)),
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

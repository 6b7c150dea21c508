import { randomUUID } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { ERASED_STREAM } from '../domain/stream-names.ts'
import { type EventLog, lastPosition } from '../log/event-log.ts'
import { type Position, START } from '../engines/event-store/event-store.ts'
import type { LogEvent, Projection } from '../projections/projection.ts'
import { SetGone, type ViewStore } from '../engines/view-store/view-store.ts'
import { backOffMs } from '../ports/back-off.ts'
import { pageFold } from './fold.ts'
import { dropSet, dropUnnamed, setsBelow } from './housekeeping.ts'
import { leasesOf } from './lease.ts'
import { openedBuyers } from './opened-buyers.ts'
import { positionWaiters } from '../log/position-waiters.ts'
import { changeEntry, deregister, type Entry, entryOf, newSetId, readRegistry, setsOf } from './registry.ts'

/** Events per read. */
const PAGE = 1_000
/** Events per fold while no set serves: many, so that most documents are written once. */
const EVENTS_TOGETHER = 8_000
/** Pause after a page that is not full, in which the next one gathers: larger pages cost less per event. */
const GATHERING_MS = 20
/** Intervals of looking up the sets, and of reading an idle log. */
const LOOK_MS = 1_000
const IDLE_MS = 2_000
const RETRY_MS = 50
const RETRY_MS_MAX = 5_000
/** How long a registered set may take to be created. */
const CREATED_MS = 30_000
const HOUSEKEEPING_MS = 10_000
/** Longer than readers cache a set, and than a request lasts. */
const FORMER_MS = 60_000
const CLEANING_MS = 600_000
/** How long a set may take to fold an erasure. */
const ERASED_MS = 60_000

export interface RunnerOptions {
  readonly log: Pick<EventLog, 'readAll' | 'readStream' | 'head' | 'waitForEvents' | 'openPersonal'>
  readonly store: ViewStore
  /** The log that the views are built from. */
  readonly logId: string
  /** Identifies the projections and their configuration. */
  readonly shape: string
  readonly projections: readonly Projection[]
  readonly clock: { now(): number; sleep(ms: number): Promise<void> }
  /** The process, which keeps its lease when its thread is restarted. */
  readonly owner?: string
  readonly pageSize?: number
  /** The result of `position()` may have changed. */
  readonly onMoved?: () => void
  /** An engine or the vault is away; the runner retries. Must not throw. */
  readonly onTrouble?: (error: unknown) => void
  /** The last trouble has ended. */
  readonly onRecovered?: () => void
}

/** Keeps a shape's views current while its process has the lease; otherwise it follows what another one folds. */
export interface Runner {
  /** With the lease, folds one page into the serving set, and one into the set being built; true if either had events. Never throws. */
  runOnce(): Promise<boolean>
  /** Folds until `signal` is aborted or `stop` is called; retries during outages of engines and vault. */
  run(signal?: AbortSignal): Promise<void>
  /** Resolves when the current page is done, and the lease given back. */
  stop(): Promise<void>
  /** The position that the serving set has reached. */
  position(): Position
  /** True as soon as `position()` has reached it; false after `timeoutMs`. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>
}

type Role = 'serving' | 'building'

/** The state of folding a set. */
interface Loop {
  readonly role: Role
  set: string | undefined
  /** The set has been found. */
  isThere: boolean
  missingSince: number
  checkpoint: Position
  beginHead: Position
  isIndexed: boolean
  /** The last page was full. */
  hasMore: boolean
}

// oxlint-disable-next-line max-lines-per-function -- one state machine, whose steps share two loops and a few times
export function projectionRunner(options: RunnerOptions): Runner {
  const { log, store, logId, shape, projections, clock, pageSize = PAGE, onMoved, onTrouble, onRecovered } = options
  const leases = leasesOf(store.texts, { owner: options.owner ?? randomUUID(), now: () => clock.now() })
  let isHolder = false
  const serving = newLoop('serving')
  const building = newLoop('building')
  const waiters = positionWaiters(() => serving.checkpoint)
  const stopping = new AbortController()
  const troubles = new Map<string, { failures: number; retryAt: number }>()
  /** When each task was last done; undefined: due. */
  const done = new Map<string, number>()
  let former: { set: string | undefined; since: number } = { set: undefined, since: 0 }
  let erasures: { revision: number; position: Position; since: number | undefined } = {
    revision: 0,
    position: START,
    since: undefined,
  }
  let running: Promise<void> = Promise.resolve()

  /** Failures here come from engines, never from an event: retried with backoff. */
  async function attempt(name: string, work: () => Promise<boolean>): Promise<boolean> {
    const trouble = troubles.get(name)
    if (trouble && trouble.retryAt > clock.now()) return false
    try {
      const result = await work()
      if (troubles.delete(name) && troubles.size === 0) onRecovered?.()
      return result
    } catch (error) {
      const failures = (trouble?.failures ?? 0) + 1
      troubles.set(name, {
        failures,
        retryAt: clock.now() + backOffMs(failures, { from: RETRY_MS, max: RETRY_MS_MAX }),
      })
      onTrouble?.(error)
      return false
    }
  }

  function isDue(what: string, everyMs: number): boolean {
    const now = clock.now()
    if (now - (done.get(what) ?? -Infinity) < everyMs) return false
    done.set(what, now)
    return true
  }

  const lookAgain = (): boolean => done.delete('look')

  function notifyMoved(): void {
    waiters.wake()
    onMoved?.()
  }

  /** Renews the lease, and looks up the sets. */
  async function look(): Promise<boolean> {
    if (!isDue('look', LOOK_MS)) return false
    try {
      isHolder = await leases.hold(shape)
      let entry = await followSets()
      if (!isHolder) return false
      if (entry.serving === undefined && entry.building === undefined) {
        await beginSet(store, { shape, logId, projections, log })
        entry = await followSets()
      }
      if (entry.former !== former.set) former = { set: entry.former, since: clock.now() }
      if (former.set !== undefined && clock.now() - former.since >= FORMER_MS) await dropSet(store, former.set)
    } catch (error) {
      lookAgain()
      throw error
    }
    return false
  }

  async function followSets(): Promise<Entry> {
    let entry = await entryOf(store, shape)
    for (const loop of [serving, building])
      if (await followSet(loop, entry[loop.role])) entry = await entryOf(store, shape)
    return entry
  }

  /** Follows the set of a role; if it is lost, its holder deregisters it and returns true. */
  async function followSet(loop: Loop, set: string | undefined): Promise<boolean> {
    if (loop.set !== set) Object.assign(loop, newLoop(loop.role), { set, missingSince: clock.now() })
    if (set === undefined) {
      if (loop.role === 'serving') notifyMoved()
      return false
    }
    const state = await store.stateOf(set)
    if (state?.logId === logId) {
      const { checkpoint, beginHead } = state
      const hasMoved = checkpoint !== loop.checkpoint
      Object.assign(loop, { isThere: true, checkpoint, beginHead })
      if (hasMoved) notifyMoved()
      return false
    }
    const isAwaited = !state && loop.role === 'building' && !loop.isThere
    if (!isHolder || (isAwaited && clock.now() - loop.missingSince < CREATED_MS)) return false
    Object.assign(loop, newLoop(loop.role))
    await deregister(store, set)
    await store.drop(set)
    return true
  }

  /** Folds the next page; true if there was one. */
  async function foldNext(loop: Loop): Promise<boolean> {
    const { set, checkpoint: after } = loop
    if (set === undefined || !loop.isThere) return false
    const events = await nextEvents(loop)
    loop.hasMore = events.length >= pageSize
    if (events.length === 0) {
      await serveIfCaughtUp(loop)
      return false
    }
    try {
      const opened = await openedBuyers(log, projections, events)
      loop.checkpoint = await store.fold(set, pageFold(projections, { after, events, opened }))
    } catch (error) {
      if (!(error instanceof SetGone)) throw error
      lookAgain()
      return true
    }
    if (loop.role === 'serving') notifyMoved()
    await serveIfCaughtUp(loop)
    return true
  }

  async function nextEvents({ checkpoint }: Loop): Promise<readonly LogEvent[]> {
    const events = await log.readAll({ after: checkpoint, limit: pageSize })
    if (serving.set !== undefined || pageSize !== PAGE) return events
    for (let page = events; page.length === pageSize && events.length < EVENTS_TOGETHER;) {
      page = await log.readAll({ after: lastPosition(events), limit: pageSize })
      events.push(...page)
    }
    return events
  }

  /** Creates the indexes first, which may take a while; after that the set may have to catch up again. */
  async function serveIfCaughtUp(loop: Loop): Promise<void> {
    const { set, checkpoint } = loop
    if (loop.role !== 'building' || set === undefined || checkpoint < loop.beginHead) return
    if (!loop.isIndexed) {
      await store.index(set, projections)
      loop.isIndexed = true
    }
    const entry = await entryOf(store, shape)
    const before = entry.serving === undefined ? undefined : await store.stateOf(entry.serving)
    if (entry.former !== undefined || (before && before.checkpoint > checkpoint)) return
    const serves = ({ serving: former, building: own }: Entry): Entry | undefined =>
      own === set ? { serving: set, ...(former !== undefined && { former }) } : undefined
    if (!(await changeEntry(store, shape, serves))) return
    Object.assign(serving, loop, { role: 'serving' })
    Object.assign(building, newLoop('building'))
    notifyMoved()
    lookAgain()
  }

  /** Drops the sets of shapes that no process folds any more. */
  async function dropAbandoned(): Promise<boolean> {
    if (!isDue('abandoned', HOUSEKEEPING_MS)) return false
    for (const [other, entry] of Object.entries(await readRegistry(store)))
      if (other !== shape && (await leases.takeAbandoned(other)))
        for (const set of setsOf(entry)) await dropSet(store, set)
    return false
  }

  /** Finds new erasures, and drops sets that do not fold them in time: those may keep erased data. */
  async function forget(): Promise<boolean> {
    if (!isDue('forget', HOUSEKEEPING_MS)) return false
    const erased = await log.readStream(ERASED_STREAM, erasures.revision)
    const last = erased.at(-1)
    if (last) {
      erasures = { revision: last.revision + 1, position: last.position, since: clock.now() }
      done.delete('clean')
    }
    if (erasures.since !== undefined && clock.now() - erasures.since >= ERASED_MS) {
      for (const set of await setsBelow(store, erasures.position)) await dropSet(store, set)
      erasures.since = undefined
    }
    return false
  }

  async function clean(): Promise<boolean> {
    if (isDue('clean', CLEANING_MS)) await dropUnnamed(store)
    return false
  }

  /** Runs while there is nothing to fold. */
  async function wipe(): Promise<boolean> {
    for (const { set, isThere } of [serving, building])
      if (set !== undefined && isThere) await store.wipe(set).catch(ignoreGone)
    return false
  }

  async function runOnce(): Promise<boolean> {
    await attempt('look', look)
    if (!isHolder) return false
    const isBusy = await attempt('serving', async () => foldNext(serving))
    const isBuilding = await attempt('building', async () => foldNext(building))
    await attempt('abandoned', dropAbandoned)
    await attempt('forget', forget)
    await attempt('clean', clean)
    if (isBusy || isBuilding) return true
    await attempt('wipe', wipe)
    return false
  }

  async function giveBack(): Promise<boolean> {
    isHolder = false
    await leases.giveBack(shape)
    return false
  }

  async function follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (!(await runOnce())) await untilAborted(signal, idle(signal))
      else if (serving.hasMore || building.hasMore) await yieldToEventLoop()
      else await untilAborted(signal, clock.sleep(GATHERING_MS))
    }
    await attempt('lease', giveBack)
  }

  /** Waits until the log grows, or something is due. */
  async function idle(signal: AbortSignal): Promise<void> {
    const retries = [...troubles.values()].map(({ retryAt }) => Math.max(1, retryAt - clock.now()))
    if (retries.length > 0) return clock.sleep(Math.min(...retries))
    if (!isHolder) return clock.sleep(LOOK_MS)
    if (serving.set === undefined) return clock.sleep(RETRY_MS)
    const timeoutMs = building.set === undefined ? IDLE_MS : RETRY_MS
    await attempt('wait', async () => {
      await log.waitForEvents({ after: serving.checkpoint, timeoutMs, signal })
      return false
    })
  }

  return {
    runOnce,
    position: () => serving.checkpoint,
    waitFor: (wanted, timeoutMs) => waiters.wait(wanted, timeoutMs),

    async run(signal) {
      signal?.addEventListener('abort', () => stopping.abort(), { once: true })
      if (signal?.aborted) stopping.abort()
      running = follow(stopping.signal)
      await running
    },

    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Registers a set to be built, and creates it; undefined if a set serves (unless `beside`) or is being built. */
export async function beginSet(
  store: ViewStore,
  {
    shape,
    logId,
    projections,
    log,
    beside = false,
  }: Pick<RunnerOptions, 'shape' | 'logId' | 'projections'> & { log: Pick<EventLog, 'head'>; beside?: boolean },
): Promise<string | undefined> {
  const beginHead = await log.head()
  const set = newSetId()
  const isFree = (entry: Entry): boolean => entry.building === undefined && (beside || entry.serving === undefined)
  const isRegistered = await changeEntry(store, shape, (entry) =>
    isFree(entry) ? { ...entry, building: set } : undefined,
  )
  if (!isRegistered) return undefined
  await store.create(set, { shape, logId, beginHead }, projections)
  return set
}

function newLoop(role: Role): Loop {
  const nothing = { checkpoint: START, beginHead: START, isIndexed: false, hasMore: false }
  return { role, set: undefined, isThere: false, missingSince: 0, ...nothing }
}

/** Ends the wait early on abort. Races against one promise for all waits would each leave their handlers on it. */
async function untilAborted(signal: AbortSignal, wait: Promise<void>): Promise<void> {
  if (signal.aborted) return
  const aborted = Promise.withResolvers<void>()
  const onAbort = (): void => aborted.resolve()
  signal.addEventListener('abort', onAbort)
  await Promise.race([wait, aborted.promise]).finally(() => signal.removeEventListener('abort', onAbort))
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof SetGone)) throw error
}

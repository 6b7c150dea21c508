import { type Position, START } from '../event-store/event-store.ts'
import type { Projection } from '../projections/projection.ts'
import type { Collection, CollectionName, ViewStore, Write } from '../view-store/view-store.ts'

/*
 * A projection's documents live in `orders@3000001@8204711600000`: version 3, built for the first time, and the moment at which that began. A build that was
 * dropped never comes back under its name, so that a process which still writes to it does no harm. Where all views were wiped under running processes,
 * numbers begin anew, and the moment tells the builds apart.
 *
 * A second build may stand beside the current one, named by the same mark: of a higher number it is to take over, of a lower one it was taken over from.
 */

const BUILDS_MAX = 1_000_000
const NUMBER_DIGITS = 6
const LAST_BIRTH_MS = 9_999_999_999_999
const BIRTH_DIGITS = 13
const YES = 'yes'

/** The log's end, and the clock that distinguishes builds. */
interface LogEnd {
  head(): Promise<Position>
  now(): number
}

/** One build of a projection. */
export interface Build {
  readonly projection: Projection
  /** Its name tells the build. */
  readonly collection: Collection
}

/** A build that stands beside the current one. */
export interface Beside extends Build {
  /** It has served, and is kept up for those who still read it; else it is to take over. */
  readonly isFormer: boolean
}

interface Numbered {
  readonly number: number
  /** Text of the moment at which it was begun; empty before that. */
  readonly born: string
}

interface Named {
  /** Of the mark. */
  readonly text: string
  readonly current: Numbered
  readonly beside: Numbered | undefined
}

type Versioned = Pick<Projection, 'name' | 'version'>

/** Marks of the store, by projection. */
const marks = {
  /** Number and birth of the current build, then of the one beside it. */
  build: ({ name, version }: Versioned) => `build:${name}@${version}`,
  serving: (name: string) => `serving:${name}`,
  former: (name: string) => `former:${name}`,
  /** The log that all views are made from. */
  log: 'log',
}

/** Marks that are kept with a build's documents. */
const marksOf = {
  checkpoint: ({ name }: CollectionName) => `checkpoint:${name}`,
  /** Where the log ended when the build began. */
  target: ({ name }: CollectionName) => `target:${name}`,
  ready: ({ name }: CollectionName) => `ready:${name}`,
  variant: ({ name }: CollectionName) => `variant:${name}`,
}

/** The projection's current build, or the one to make. */
export async function currentBuild(store: ViewStore, projection: Projection): Promise<Build> {
  const named = await namedBuilds(store, projection)
  return buildOf(projection, named?.current ?? { number: 1, born: '' })
}

/** The current build and the one beside it; undefined where none was begun. */
export async function buildsOf(
  store: ViewStore,
  projection: Projection,
): Promise<{ readonly current: Build; readonly beside: Beside | undefined } | undefined> {
  const named = await namedBuilds(store, projection)
  return named && { current: buildOf(projection, named.current), beside: besideOf(projection, named) }
}

/**
 * The build that answers, and whether another one stands beside it. Of the current and the former one it is the one that is further on, so that no reader sees
 * less than before.
 */
export async function answeringBuild(
  store: ViewStore,
  projection: Projection,
): Promise<{ readonly build: Build; readonly isOneOfTwo: boolean } | undefined> {
  const builds = await buildsOf(store, projection)
  if (!builds || !(await isReady(store, builds.current.collection))) return undefined
  const { current, beside } = builds
  const isOneOfTwo = beside !== undefined
  if (!beside?.isFormer || !(await isReady(store, beside.collection))) return { build: current, isOneOfTwo }
  const isFurther = (await checkpointOf(store, beside.collection)) > (await checkpointOf(store, current.collection))
  return { build: isFurther ? beside : current, isOneOfTwo }
}

async function namedBuilds(store: ViewStore, projection: Versioned): Promise<Named | undefined> {
  const text = await store.marks().read(marks.build(projection))
  if (text === undefined) return undefined
  const [number = '', born = '', besideNumber, besideBorn = ''] = text.split(':')
  const beside = besideNumber === undefined ? undefined : { number: Number(besideNumber), born: besideBorn }
  return { text, current: { number: Number(number), born }, beside }
}

function besideOf(projection: Projection, { current, beside }: Named): Beside | undefined {
  return beside && { ...buildOf(projection, beside), isFormer: beside.number < current.number }
}

/** False where others have changed what is named since. */
async function rename(
  store: ViewStore,
  projection: Versioned,
  { from, to }: { from: Named; to: readonly Numbered[] },
): Promise<boolean> {
  return store.marks().replace(marks.build(projection), { from: from.text, to: to.map(textOf).join(':') })
}

/** Upward only; of concurrent beginnings of one build the first counts. */
async function raiseBuild(store: ViewStore, projection: Versioned, number: number, nowMs: number): Promise<void> {
  await store.marks().raise(marks.build(projection), textOf({ number, born: bornAt(nowMs) }))
}

function textOf({ number, born }: Numbered): string {
  return `${String(number).padStart(NUMBER_DIGITS, '0')}:${born}`
}

/** The earlier, the higher. */
function bornAt(nowMs: number): string {
  return String(LAST_BIRTH_MS - nowMs).padStart(BIRTH_DIGITS, '0')
}

function buildOf(projection: Projection, { number, born }: Numbered): Build {
  const { name, version, fields, indexes, isPersonal = false } = projection
  const build = `${name}@${version * BUILDS_MAX + number}`
  return { projection, collection: { name: born === '' ? build : `${build}@${born}`, fields, indexes, isPersonal } }
}

function parsed({ name: collection }: CollectionName): Versioned & Numbered {
  const [name = '', text = '', born = ''] = collection.split('@')
  const number = Number(text)
  return { name, version: Math.floor(number / BUILDS_MAX), number: number % BUILDS_MAX, born }
}

/** No process updates it now or later. */
function isPast(build: Numbered, { current, beside }: Named): boolean {
  if (isSame(build, beside)) return false
  // Older releases name theirs by the number alone.
  return build.number < current.number || (build.born !== '' && build.born !== current.born)
}

function isSame(one: Numbered, other: Numbered | undefined): boolean {
  return one.number === other?.number && one.born === other.born
}

/**
 * Whether this is still the current build, and what stands beside it. Where it was wiped, the number is raised, so that no process goes on writing to it.
 */
export async function standingOf(
  store: ViewStore,
  { projection, collection }: Build,
  nowMs: number,
): Promise<{ readonly isCurrent: boolean; readonly isBeside: boolean; readonly beside: Beside | undefined }> {
  const own = parsed(collection)
  const named = await namedBuilds(store, projection)
  const isCurrent = isSame(own, named?.current)
  const isBeside = isSame(own, named?.beside)
  const isWiped = !isCurrent && !isBeside && (named === undefined || named.current.number <= own.number)
  if (isWiped) await raiseBuild(store, projection, own.number + 1, nowMs)
  return { isCurrent, isBeside, beside: named && besideOf(projection, named) }
}

export async function checkpointOf(store: ViewStore, collection: CollectionName): Promise<Position> {
  return (await store.marks(collection).read(marksOf.checkpoint(collection))) ?? START
}

/** Moves the build's checkpoint together with its documents. */
export function checkpointMark(
  { collection }: Build,
  { from, to }: { from: Position; to: Position },
): NonNullable<Write['mark']> {
  return { name: marksOf.checkpoint(collection), from: from === START ? undefined : from, value: to }
}

/** It has reached the log's end as of its beginning, and has its indexes. */
export async function isReady(store: ViewStore, collection: CollectionName): Promise<boolean> {
  return (await store.marks(collection).read(marksOf.ready(collection))) !== undefined
}

/** A build that is open, and the position from which on it may answer; undefined when it does so already. */
export interface OpenedBuild {
  readonly build: Build
  readonly target: Position | undefined
}

/** Opens the projection's build, beginning one where there is none or it depends on other configuration. */
export async function openBuild(store: ViewStore, projection: Projection, log: LogEnd): Promise<OpenedBuild> {
  let build = await begunBuild(store, projection, log.now())
  if (!(await isOfVariant(store, build))) {
    await drop(store, build.collection, log.now())
    build = await begunBuild(store, projection, log.now())
  }
  if (!(await isReady(store, build.collection))) return opened(store, build, { log, indexes: [] })
  await store.open(build.collection)
  await serve(store, build, log.now())
  return { build, target: undefined }
}

/** Opens the build beside the current one; undefined where there is none, or it depends on other configuration. */
export async function openBeside(
  store: ViewStore,
  projection: Projection,
  log: LogEnd,
): Promise<(OpenedBuild & { readonly build: Beside }) | undefined> {
  const build = (await buildsOf(store, projection))?.beside
  if (!build) return undefined
  if (!(await isOfVariant(store, build))) {
    await dropBeside(store, build, log.now())
    return undefined
  }
  if (!build.isFormer) {
    // Its indexes come first: made last, they would stop the current build for as long as that takes.
    const { target } = await opened(store, build, { log, indexes: build.collection.indexes })
    return { build, target }
  }
  await store.open(build.collection)
  return { build, target: undefined }
}

/** Whether it is made by this configuration, as far as that is known. */
export async function isOfVariant(store: ViewStore, { projection, collection }: Build): Promise<boolean> {
  const built = await store.marks(collection).read(marksOf.variant(collection))
  return built === undefined || built === (projection.variant ?? '')
}

async function opened(
  store: ViewStore,
  build: Build,
  { log, indexes }: { log: LogEnd; indexes: Collection['indexes'] },
): Promise<OpenedBuild> {
  const { projection, collection } = build
  const own = store.marks(collection)
  await own.set(marksOf.variant(collection), projection.variant ?? '')
  // Indexes come last, since bulk writes are faster without them.
  await store.open({ ...collection, indexes })
  const target = await own.read(marksOf.target(collection))
  if (target !== undefined) return { build, target }
  await own.raise(marksOf.target(collection), await log.head())
  return { build, target: (await own.read(marksOf.target(collection))) ?? START }
}

/** Collections without a build mark are left over from wiped marks, so a new build gets a number above all of theirs. */
async function begunBuild(store: ViewStore, projection: Projection, nowMs: number): Promise<Build> {
  const named = await namedBuilds(store, projection)
  if (named) return buildOf(projection, named.current)
  const others = (await store.collections()).map(parsed)
  const own = others.filter(({ name, version }) => name === projection.name && version === projection.version)
  await raiseBuild(store, projection, Math.max(0, ...own.map(({ number }) => number)) + 1, nowMs)
  return currentBuild(store, projection)
}

/** The build has caught up: it gets its indexes and takes over. */
export async function finishBuild(store: ViewStore, build: Build, nowMs: number): Promise<void> {
  const { collection } = build
  await store.open(collection)
  await store.marks(collection).set(marksOf.ready(collection), YES)
  await serve(store, build, nowMs)
}

/** Names a second build, which is built beside the current one and takes over; answers what stands beside it already, where something does. */
export async function askRebuild(store: ViewStore, projection: Projection, nowMs: number): Promise<Beside | undefined> {
  const named = await namedBuilds(store, projection)
  if (!named || named.beside) return named && besideOf(projection, named)
  const { current } = named
  const next = { number: current.number + 1, born: bornAt(nowMs) }
  await rename(store, projection, { from: named, to: [current, next] })
  return (await buildsOf(store, projection))?.beside
}

/** The build beside has caught up: it changes places with the current one, by one conditional write. */
export async function takeOver(store: ViewStore, build: Build, nowMs: number): Promise<boolean> {
  const { projection, collection } = build
  const named = await namedBuilds(store, projection)
  if (!named?.beside || !isSame(parsed(collection), named.beside)) return false
  const current = buildOf(projection, named.current)
  if ((await checkpointOf(store, collection)) < (await checkpointOf(store, current.collection))) return false
  await store.marks(collection).set(marksOf.ready(collection), YES)
  if (!(await rename(store, projection, { from: named, to: [named.beside, named.current] }))) return false
  await serve(store, build, nowMs)
  return true
}

/** The current build is as far as this one, which stands beside it. */
export async function isOvertaken(store: ViewStore, { projection, collection }: Build): Promise<boolean> {
  const { collection: current } = await currentBuild(store, projection)
  return (await checkpointOf(store, current)) >= (await checkpointOf(store, collection))
}

/** Only while it stands beside the current one; says whether it did. */
export async function dropBeside(store: ViewStore, { projection, collection }: Build, nowMs: number): Promise<boolean> {
  const named = await namedBuilds(store, projection)
  if (!named || !isSame(parsed(collection), named.beside)) return false
  if (!(await rename(store, projection, { from: named, to: [named.current] }))) return false
  await drop(store, collection, nowMs)
  return true
}

async function serve(store: ViewStore, { projection, collection }: Build, nowMs: number): Promise<void> {
  const { name } = projection
  const serving = await store.marks().read(marks.serving(name))
  if (serving !== collection.name) {
    const isOther = serving !== undefined && parsed({ name: serving }).version !== projection.version
    if (isOther) await store.marks().set(marks.former(name), serving)
    await store.marks().set(marks.serving(name), collection.name)
  }
  await dropOutdated(store, projection, nowMs)
}

/** A higher version serves, so this one needs no more updates. */
export async function isSuperseded(store: ViewStore, { projection }: Build): Promise<boolean> {
  const serving = await store.marks().read(marks.serving(projection.name))
  return serving !== undefined && parsed({ name: serving }).version > projection.version
}

/** One collection that stands in the store under a projection's name. */
export interface StandingBuild {
  readonly collection: CollectionName
  readonly version: number
  readonly number: number
  /** Left over: no process reads it or writes to it. */
  readonly is: 'current' | 'being built' | 'former' | 'of another version' | 'left over'
}

/** All that stands in the store under this projection's name, the current build first. */
export async function standingBuilds(store: ViewStore, projection: Projection): Promise<StandingBuild[]> {
  const found: StandingBuild[] = []
  for (const collection of await store.collections()) {
    const build = parsed(collection)
    const named = build.name === projection.name ? await namedBuilds(store, build) : undefined
    if (build.name === projection.name)
      found.push({ collection, version: build.version, number: build.number, is: whatItIs(projection, build, named) })
  }
  return found.sort((a, b) => Number(b.is === 'current') - Number(a.is === 'current'))
}

function whatItIs(projection: Projection, build: Versioned & Numbered, named: Named | undefined): StandingBuild['is'] {
  if (!named || isPast(build, named)) return 'left over'
  if (build.version !== projection.version) return 'of another version'
  if (isSame(build, named.beside)) return build.number < named.current.number ? 'former' : 'being built'
  return 'current'
}

/** Drops what stands beside the current build, and with `all` that as well. Answers what it dropped. */
export async function dropBuilds(
  store: ViewStore,
  projection: Projection,
  { all, nowMs }: { all: boolean; nowMs: number },
): Promise<StandingBuild[]> {
  const dropped: StandingBuild[] = []
  for (const build of (await standingBuilds(store, projection)).toReversed()) {
    if (build.is === 'current' && !all) continue
    const { collection } = build
    const isBeside = build.is === 'former' || build.is === 'being built'
    // One that has taken over meanwhile stays.
    if (isBeside && !(await dropBeside(store, { projection, collection: { ...projection, ...collection } }, nowMs)))
      continue
    if (!isBeside) await drop(store, collection, nowMs)
    dropped.push(build)
  }
  return dropped
}

/** Drops what neither serves, nor is the way back, nor is being built by this release or a newer one. */
export async function dropOutdated(store: ViewStore, projection: Projection, nowMs: number): Promise<void> {
  const { name, version, isPersonal = false } = projection
  const serving = await store.marks().read(marks.serving(name))
  const former = isPersonal ? undefined : await store.marks().read(marks.former(name))
  // Keep ours in any case: the mark that was read may be outdated.
  const kept = new Set([version, ...[serving, former].map((build) => build && parsed({ name: build }).version)])
  for (const collection of await store.collections()) {
    const other = parsed(collection)
    if (other.name !== name) continue
    const named = await namedBuilds(store, other)
    if (named && !isPast(other, named)) {
      if (kept.has(other.version)) continue
      if (other.version > version && !(await isReady(store, collection))) continue
    }
    await drop(store, collection, nowMs)
  }
}

/** Drops this version's build, so that it is built anew. */
export async function dropBuild(store: ViewStore, projection: Projection, nowMs: number): Promise<void> {
  const { collection } = await currentBuild(store, projection)
  await drop(store, collection, nowMs)
}

/** The mark first: from then on no process takes the collection for a build, whatever becomes of dropping it. */
async function drop(store: ViewStore, collection: CollectionName, nowMs: number): Promise<void> {
  await supersede(store, collection, nowMs)
  await store.drop(collection)
  // A store that loses its end may have lost the mark before the collection was dropped.
  await supersede(store, collection, nowMs)
}

async function supersede(store: ViewStore, collection: CollectionName, nowMs: number): Promise<void> {
  const build = parsed(collection)
  const named = await namedBuilds(store, build)
  if (named !== undefined && isPast(build, named)) return
  if (!isSame(build, named?.beside)) return raiseBuild(store, build, build.number + 1, nowMs)
  // Where that was changed since, it may be the current one now.
  if (named && !(await rename(store, build, { from: named, to: [named.current] })))
    await supersede(store, collection, nowMs)
}

/** The highest checkpoint of the views of this log; `START` if they are of another log. */
export async function furthestCheckpoint(store: ViewStore, log: { readonly id: string }): Promise<Position> {
  if ((await logOfViews(store)) !== log.id) return START
  let furthest = START
  for (const collection of await store.collections()) {
    const checkpoint = await checkpointOf(store, collection)
    if (checkpoint > furthest) furthest = checkpoint
  }
  return furthest
}

/** Which log the views were made from; undefined where there are none. */
export async function logOfViews(store: ViewStore): Promise<string | undefined> {
  return store.marks().read(marks.log)
}

/** Says of views that were wiped while the shop was running which log they are made from, so that the next start keeps them. */
export async function claimViews(store: ViewStore, logId: string): Promise<void> {
  if ((await logOfViews(store)) === undefined) await store.marks().set(marks.log, logId)
}

/**
 * Drops every view that was made from another log, or from more of this one than there is: then it was put back from a backup, and positions mean other
 * events now. Says whether there was any. A view that is built meanwhile is built again.
 */
export async function dropForeignViews(store: ViewStore, log: LogEnd & { readonly id: string }): Promise<boolean> {
  const isOurs = (await logOfViews(store)) === log.id
  // The head is read after the views, since another process may be folding new events.
  if (isOurs && (await furthestCheckpoint(store, log)) <= (await log.head())) return false
  return (await dropViews(store, log)) > 0
}

/** Drops every view, to be built from this log; answers how many there were. */
export async function dropViews(store: ViewStore, log: Pick<LogEnd, 'now'> & { readonly id: string }): Promise<number> {
  const collections = await store.collections()
  for (const collection of collections) {
    const build = parsed(collection)
    const named = await namedBuilds(store, build)
    await raiseBuild(store, build, (named?.current ?? build).number + 1, log.now())
    await store.drop(collection)
  }
  await store.marks().set(marks.log, log.id)
  return collections.length
}

import { type Position, START } from '../event-store/event-store.ts'
import type { Projection } from '../projections/projection.ts'
import type { Collection, CollectionName, ViewStore, Write } from '../view-store/view-store.ts'

/*
 * A projection's documents live in `orders@3000001@8204711600000`: version 3, built for the first time, and the moment at which that began. A build that was
 * dropped never comes back under its name, so that a process which still writes to it does no harm. Where all views were wiped under running processes,
 * numbers begin anew, and the moment tells the builds apart.
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

interface Numbered {
  readonly number: number
  /** Text of the moment at which it was begun; empty before that. */
  readonly born: string
}

type Versioned = Pick<Projection, 'name' | 'version'>

/** Marks of the store, by projection. */
const marks = {
  /** The number of the build that is kept up, and when it was born. */
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
  return buildOf(projection, (await numberedBuild(store, projection)) ?? { number: 1, born: '' })
}

async function numberedBuild(store: ViewStore, projection: Versioned): Promise<Numbered | undefined> {
  const text = await store.marks().read(marks.build(projection))
  if (text === undefined) return undefined
  const [number = '', born = ''] = text.split(':')
  return { number: Number(number), born }
}

/** Upward only; of concurrent beginnings of one build the first counts. */
async function raiseBuild(store: ViewStore, projection: Versioned, number: number, nowMs: number): Promise<void> {
  // The earlier, the higher.
  const born = String(LAST_BIRTH_MS - nowMs).padStart(BIRTH_DIGITS, '0')
  await store.marks().raise(marks.build(projection), `${String(number).padStart(NUMBER_DIGITS, '0')}:${born}`)
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
function isPast(build: Numbered, current: Numbered): boolean {
  // Older releases name theirs by the number alone.
  return build.number < current.number || (build.born !== '' && build.born !== current.born)
}

/** Another build replaces this one. A wiped build's number is raised, so that no process goes on writing to it. */
export async function isDropped(store: ViewStore, { projection, collection }: Build, nowMs: number): Promise<boolean> {
  const { number, born } = parsed(collection)
  const current = await numberedBuild(store, projection)
  if (current?.number === number && current.born === born) return false
  const isWiped = current === undefined || current.number <= number
  if (isWiped) await raiseBuild(store, projection, number + 1, nowMs)
  return true
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

/**
 * Opens the projection's build, beginning one where there is none or it depends on other configuration. Answers the position from which on it may answer,
 * undefined when it does so already.
 */
export async function openBuild(
  store: ViewStore,
  projection: Projection,
  log: LogEnd,
): Promise<{ build: Build; target: Position | undefined }> {
  const { variant = '' } = projection
  let build = await begunBuild(store, projection, log.now())
  const built = await store.marks(build.collection).read(marksOf.variant(build.collection))
  if (built !== undefined && built !== variant) {
    await drop(store, build.collection, log.now())
    build = await begunBuild(store, projection, log.now())
  }
  const { collection } = build
  if (await isReady(store, collection)) {
    await store.open(collection)
    await serve(store, build, log.now())
    return { build, target: undefined }
  }
  const own = store.marks(collection)
  await own.set(marksOf.variant(collection), variant)
  // Indexes come last, since bulk writes are faster without them.
  await store.open({ ...collection, indexes: [] })
  const target = await own.read(marksOf.target(collection))
  if (target !== undefined) return { build, target }
  await own.raise(marksOf.target(collection), await log.head())
  return { build, target: (await own.read(marksOf.target(collection))) ?? START }
}

/** Collections without a build mark are left over from wiped marks, so a new build gets a number above all of theirs. */
async function begunBuild(store: ViewStore, projection: Projection, nowMs: number): Promise<Build> {
  const current = await numberedBuild(store, projection)
  if (current) return buildOf(projection, current)
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

async function serve(store: ViewStore, { projection, collection }: Build, nowMs: number): Promise<void> {
  const { name } = projection
  const serving = await store.marks().read(marks.serving(name))
  if (serving !== collection.name) {
    if (serving !== undefined) await store.marks().set(marks.former(name), serving)
    await store.marks().set(marks.serving(name), collection.name)
  }
  await dropOutdated(store, projection, nowMs)
}

/** A higher version serves, so this one needs no more updates. */
export async function isSuperseded(store: ViewStore, { projection }: Build): Promise<boolean> {
  const serving = await store.marks().read(marks.serving(projection.name))
  return serving !== undefined && parsed({ name: serving }).version > projection.version
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
    const current = await numberedBuild(store, other)
    if (current && !isPast(other, current)) {
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
  const current = await numberedBuild(store, build)
  if (current === undefined || !isPast(build, current)) await raiseBuild(store, build, build.number + 1, nowMs)
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
    const current = await numberedBuild(store, build)
    await raiseBuild(store, build, (current ?? build).number + 1, log.now())
    await store.drop(collection)
  }
  await store.marks().set(marks.log, log.id)
  return collections.length
}

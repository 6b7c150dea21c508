import { setImmediate as othersTurn } from 'node:timers/promises'
import { type Position, START } from '../event-store/event-store.ts'
import type { Collection, ViewDocument, ViewStore } from '../view-store/view-store.ts'
import type { Projection } from './projection.ts'

/*
 * A projection's documents live in `orders@3000001`: version 3, built for the first time. A build that was dropped never comes back under its name, so a
 * process that still writes to it harms nobody.
 */

/** Each erasing may make another one. */
const BUILDS_MAX = 1_000_000
const NUMBER_DIGITS = 6
const COPIED_AT_ONCE = 200
const YES = 'yes'

/** One build of a projection, as the marks tell of it. */
export interface Build {
  readonly projection: Projection
  readonly collection: Collection
}

const marks = {
  /** How many builds of this version were dropped. */
  dropped: ({ name, version }: Pick<Projection, 'name' | 'version'>) => `dropped:${name}@${version}`,
  checkpoint: ({ collection }: Build) => `checkpoint:${collection.name}`,
  /** Where the log ended when the build began. */
  target: ({ collection }: Build) => `target:${collection.name}`,
  ready: (collectionName: string) => `ready:${collectionName}`,
  variant: ({ collection }: Build) => `variant:${collection.name}`,
  serving: (name: string) => `serving:${name}`,
  former: (name: string) => `former:${name}`,
  /** Something was taken out of this build, and its bytes may still lie about. */
  unwiped: ({ collection }: Build) => `unwiped:${collection.name}`,
  /** Whose log all of them are made from. */
  log: 'log',
}

/** The build of this projection that is kept up now, or is to be made. */
export async function currentBuild(store: ViewStore, projection: Projection): Promise<Build> {
  const dropped = Number((await store.readMark(marks.dropped(projection))) ?? 0)
  return buildOf(projection, dropped + 1)
}

function buildOf(projection: Projection, number: number): Build {
  const { name, version, fields, indexes } = projection
  return { projection, collection: { name: `${name}@${version * BUILDS_MAX + number}`, fields, indexes } }
}

export async function isDropped(store: ViewStore, build: Build): Promise<boolean> {
  const { name } = (await currentBuild(store, build.projection)).collection
  return name !== build.collection.name
}

export async function checkpointOf(store: ViewStore, build: Build): Promise<Position> {
  return (await store.readMark(marks.checkpoint(build))) ?? START
}

export async function raiseCheckpoint(store: ViewStore, build: Build, position: Position): Promise<void> {
  await store.raiseMark(marks.checkpoint(build), position)
}

/** It has reached where the log ended when the build began, and has its indexes. */
export async function isReady(store: ViewStore, { collection }: Build): Promise<boolean> {
  return (await store.readMark(marks.ready(collection.name))) !== undefined
}

/**
 * Opens the projection's build, beginning one where there is none or it depends on other configuration. Answers the position from which on it may answer,
 * undefined when it does so already.
 */
export async function openBuild(
  store: ViewStore,
  projection: Projection,
  head: () => Promise<Position>,
): Promise<{ build: Build; target: Position | undefined }> {
  const { variant = '' } = projection
  let build = await currentBuild(store, projection)
  const built = await store.readMark(marks.variant(build))
  if (built !== undefined && built !== variant) {
    await drop(store, build.collection.name)
    build = await currentBuild(store, projection)
  }
  if (await isReady(store, build)) {
    await store.open(build.collection)
    await serve(store, build)
    return { build, target: undefined }
  }
  await store.setMark(marks.variant(build), variant)
  // Indexes are made last: many documents are written faster without them.
  await store.open({ ...build.collection, indexes: [] })
  const target = await store.readMark(marks.target(build))
  if (target !== undefined) return { build, target }
  await store.raiseMark(marks.target(build), await head())
  return { build, target: (await store.readMark(marks.target(build))) ?? START }
}

/** The build has caught up: it gets its indexes and takes over. */
export async function finishBuild(store: ViewStore, build: Build): Promise<void> {
  await store.open(build.collection)
  await store.setMark(marks.ready(build.collection.name), YES)
  await serve(store, build)
}

async function serve(store: ViewStore, { projection, collection }: Build): Promise<void> {
  const { name } = projection
  const serving = await store.readMark(marks.serving(name))
  if (serving !== collection.name) {
    if (serving !== undefined) await store.setMark(marks.former(name), serving)
    await store.setMark(marks.serving(name), collection.name)
  }
  await dropOutdated(store, projection)
}

/** A higher version has taken over: nobody needs this one kept up any more. */
export async function isSuperseded(store: ViewStore, { projection }: Build): Promise<boolean> {
  const serving = await store.readMark(marks.serving(projection.name))
  return serving !== undefined && parsed(serving).version > projection.version
}

/** Drops what neither serves, nor is the way back, nor is being built by a newer release. */
export async function dropOutdated(store: ViewStore, projection: Projection): Promise<void> {
  const { name, version, isPersonal = false } = projection
  const serving = await store.readMark(marks.serving(name))
  const former = isPersonal ? undefined : await store.readMark(marks.former(name))
  for (const collectionName of await store.collections()) {
    const other = parsed(collectionName)
    if (other.name !== name) continue
    const dropped = Number((await store.readMark(marks.dropped(other))) ?? 0)
    const isKept = collectionName === serving || collectionName === former
    const isNewerBuild = other.version >= version && (await store.readMark(marks.ready(collectionName))) === undefined
    if (other.number > dropped && (isKept || isNewerBuild)) continue
    await drop(store, collectionName)
  }
}

/**
 * Drops every view that was made from another log, or from more of this one than there is: then it was put back from a backup, and positions mean other
 * events now. Says whether there was any. A view that is built meanwhile is built again.
 */
export async function dropForeignViews(
  store: ViewStore,
  log: { id: string; head: () => Promise<Position> },
): Promise<boolean> {
  const collections = await store.collections()
  const isOurs = (await store.readMark(marks.log)) === log.id
  let furthest = START
  for (const name of collections) {
    const checkpoint = (await store.readMark(`checkpoint:${name}`)) ?? START
    if (checkpoint > furthest) furthest = checkpoint
  }
  // Asked behind the views: another process may be folding what was appended just now.
  if (isOurs && furthest <= (await log.head())) return false
  for (const name of collections) await drop(store, name)
  await store.setMark(marks.log, log.id)
  return collections.length > 0
}

/** Something that must leave no byte behind was taken out of this build: it is to be copied. */
export async function askForCopy(store: ViewStore, build: Build): Promise<void> {
  await store.setMark(marks.unwiped(build), YES)
}

export async function isToBeCopied(store: ViewStore, build: Build): Promise<boolean> {
  return (await store.readMark(marks.unwiped(build))) !== undefined
}

/**
 * Copies a build that serves into a new one, which takes over, and drops it: an engine moves documents about and leaves what they were where they were, but
 * wipes what it drops. Others may write to it, or copy it, at the same time. Says whether it is done; not when `signal` was aborted, or another one was faster.
 */
export async function copyBuild(store: ViewStore, build: Build, signal: AbortSignal): Promise<boolean> {
  const { projection, collection } = build
  const { name, version, number } = parsed(collection.name)
  const copy = buildOf(projection, number + 1)
  // Read first: whatever is folded into the old one from here on is folded into the copy again.
  const checkpoint = await checkpointOf(store, build)
  await store.open(copy.collection)
  let last: ViewDocument | undefined
  do {
    const after = last && { after: { id: last.id } }
    // Tombstones are not found, nor needed: who was erased opens as erased.
    const some = await store.find(collection, { ...after, sort: { direction: 'asc' }, limit: COPIED_AT_ONCE })
    await store.write(copy.collection, some)
    last = some.length < COPIED_AT_ONCE ? undefined : some.at(-1)
    await othersTurn()
    if (signal.aborted) return false
  } while (last)
  // Where another one has dropped it meanwhile, not all of it may have been read.
  if (await isDropped(store, build)) return false
  await store.setMark(marks.variant(copy), projection.variant ?? '')
  await raiseCheckpoint(store, copy, checkpoint)
  await store.setMark(marks.ready(copy.collection.name), YES)
  await store.setMark(marks.serving(name), copy.collection.name)
  await store.raiseMark(marks.dropped({ name, version }), numberText(number))
  await store.drop(collection.name)
  return true
}

function numberText(number: number): string {
  return String(number).padStart(NUMBER_DIGITS, '0')
}

/** The mark first: from then on nobody takes the collection for a build, whatever becomes of dropping it. */
async function drop(store: ViewStore, collectionName: string): Promise<void> {
  const { name, version, number } = parsed(collectionName)
  await store.raiseMark(marks.dropped({ name, version }), numberText(number))
  await store.drop(collectionName)
}

function parsed(collectionName: string): { name: string; version: number; number: number } {
  const [name = '', text = ''] = collectionName.split('@')
  const number = Number(text)
  return { name, version: Math.floor(number / BUILDS_MAX), number: number % BUILDS_MAX }
}

import { setImmediate as othersTurn } from 'node:timers/promises'
import { type Position, START } from '../event-store/event-store.ts'
import type { Collection, ViewDocument, ViewStore } from '../view-store/view-store.ts'
import type { Projection } from './projection.ts'

/*
 * A projection's documents live in `orders@3000001@8204711600000`: version 3, built for the first time, and the moment of its birth. A build that was dropped
 * never comes back under its name, so a process that still writes to it harms nobody. Where all views were wiped under running processes, numbers begin anew:
 * there the moment of birth tells one build from another, for marks and documents alike, since what somebody wrote last may lack what stood there before,
 * and he may die before he finds his build gone. Whoever lives and finds it gives its number up.
 *
 * A copy of it is `orders@3000002@8204711600000000001`: the next number, the same birth, and which attempt it was. What an attempt that came to nothing has
 * left may hold somebody who was erased since, so nobody ever goes on with it.
 */

/** Each erasing may make another one. */
const BUILDS_MAX = 1_000_000
const NUMBER_DIGITS = 6
const LAST_BIRTH_MS = 9_999_999_999_999
const BIRTH_DIGITS = 13
const COPIED_AT_ONCE = 200
/** Each may leave a copy of everything behind, until one of them succeeds. */
const COPIES_MAX = 20
const ATTEMPT_DIGITS = 6
const YES = 'yes'

/** The log's end, and the clock by which builds are told apart. */
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
interface BuildName {
  readonly collection: Pick<Collection, 'name'>
}

const marks = {
  /** The number of the build that is kept up, and when it was born. */
  build: ({ name, version }: Versioned) => `build:${name}@${version}`,
  checkpoint: ({ collection }: BuildName) => `checkpoint:${collection.name}`,
  /** Where the log ended when the build began. */
  target: ({ collection }: BuildName) => `target:${collection.name}`,
  ready: ({ collection }: BuildName) => `ready:${collection.name}`,
  variant: ({ collection }: BuildName) => `variant:${collection.name}`,
  serving: (name: string) => `serving:${name}`,
  former: (name: string) => `former:${name}`,
  /** Something was taken out of this build, and its bytes may still lie about. */
  unwiped: ({ collection }: BuildName) => `unwiped:${collection.name}`,
  /** How often it was begun to copy this build. */
  copies: ({ collection }: BuildName) => `copies:${collection.name}`,
  /** Whose log all of them are made from. */
  log: 'log',
}

/** The build of this projection that is kept up now, or is to be made. */
export async function currentBuild(store: ViewStore, projection: Projection): Promise<Build> {
  return buildOf(projection, (await numberedBuild(store, projection)) ?? { number: 1, born: '' })
}

async function numberedBuild(store: ViewStore, projection: Versioned): Promise<Numbered | undefined> {
  const text = await store.readMark(marks.build(projection))
  if (text === undefined) return undefined
  const [number = '', born = ''] = text.split(':')
  return { number: Number(number), born }
}

/** Upward only; of those that begin the same build at once the first one counts. */
async function raiseBuild(store: ViewStore, projection: Versioned, build: Numbered): Promise<void> {
  await store.raiseMark(marks.build(projection), textOf(build))
}

function textOf({ number, born }: Numbered): string {
  return `${String(number).padStart(NUMBER_DIGITS, '0')}:${born}`
}

/** The earlier, the higher. */
function bornAt(nowMs: number): string {
  return String(LAST_BIRTH_MS - nowMs).padStart(BIRTH_DIGITS, '0')
}

function buildOf(projection: Projection, { number, born }: Numbered): Build {
  const { name, version, fields, indexes, rare = [], tails = {}, isPersonal = false } = projection
  const build = `${name}@${version * BUILDS_MAX + number}`
  const collection = { name: born === '' ? build : `${build}@${born}`, fields, indexes, rare, tails, isPersonal }
  return { projection, collection }
}

/** Nobody keeps it up any more, nor will ever again. */
function isPast(build: Numbered, current: Numbered): boolean {
  if (build.number < current.number) return true
  // Older releases name theirs by the number alone.
  return build.born !== '' && build.born !== current.born && !isCopy(build, current)
}

/** It may be about to take over. */
function isCopy(build: Numbered, current: Numbered): boolean {
  return build.number === current.number + 1 && birthOf(build) === birthOf(current)
}

function birthOf({ born }: Numbered): string {
  return born.slice(0, BIRTH_DIGITS)
}

/** Another build is to be kept up in place of this one. One that was wiped away is given up for all who might still fold into it. */
export async function isDropped(store: ViewStore, build: Build, nowMs: number): Promise<boolean> {
  const { projection, collection } = build
  const { number, born } = parsed(collection.name)
  const current = await numberedBuild(store, projection)
  if (current?.number === number && current.born === born) return false
  const isWiped = current === undefined || current.number <= number
  if (isWiped) await raiseBuild(store, projection, { number: number + 1, born: bornAt(nowMs) })
  return true
}

export async function checkpointOf(store: ViewStore, build: BuildName): Promise<Position> {
  return (await store.readMark(marks.checkpoint(build))) ?? START
}

export async function raiseCheckpoint(store: ViewStore, build: Build, position: Position): Promise<void> {
  await store.raiseMark(marks.checkpoint(build), position)
}

/** It has reached where the log ended when the build began, and has its indexes. */
export async function isReady(store: ViewStore, build: BuildName): Promise<boolean> {
  return (await store.readMark(marks.ready(build))) !== undefined
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
  const built = await store.readMark(marks.variant(build))
  if (built !== undefined && built !== variant) {
    await drop(store, build.collection.name, log.now())
    build = await begunBuild(store, projection, log.now())
  }
  if (await isReady(store, build)) {
    await store.open(build.collection)
    await serve(store, build, log.now())
    return { build, target: undefined }
  }
  await store.setMark(marks.variant(build), variant)
  // Indexes are made last: many documents are written faster without them. To make one is to sort all of it, which is done in a file, or in memory where
  // it names people: that would grow with the shop.
  await store.open(projection.isPersonal ? build.collection : { ...build.collection, indexes: [] })
  const target = await store.readMark(marks.target(build))
  if (target !== undefined) return { build, target }
  await store.raiseMark(marks.target(build), await log.head())
  return { build, target: (await store.readMark(marks.target(build))) ?? START }
}

/** Where there are collections without a word about which of them is kept up, all else was wiped: none of theirs is taken for it. */
async function begunBuild(store: ViewStore, projection: Projection, nowMs: number): Promise<Build> {
  const current = await numberedBuild(store, projection)
  if (current) return buildOf(projection, current)
  const others = (await store.collections()).map(parsed)
  const own = others.filter(({ name, version }) => name === projection.name && version === projection.version)
  const number = Math.max(0, ...own.map((other) => other.number)) + 1
  const begun = { number, born: bornAt(nowMs) }
  await raiseBuild(store, projection, begun)
  return buildOf(projection, (await numberedBuild(store, projection)) ?? begun)
}

/** The build has caught up: it gets its indexes and takes over. */
export async function finishBuild(store: ViewStore, build: Build, nowMs: number): Promise<void> {
  await store.open(build.collection)
  await store.setMark(marks.ready(build), YES)
  await serve(store, build, nowMs)
}

async function serve(store: ViewStore, { projection, collection }: Build, nowMs: number): Promise<void> {
  const { name } = projection
  const serving = await store.readMark(marks.serving(name))
  if (serving !== collection.name) {
    if (serving !== undefined) await store.setMark(marks.former(name), serving)
    await store.setMark(marks.serving(name), collection.name)
  }
  await dropOutdated(store, projection, nowMs)
}

/** A higher version has taken over: nobody needs this one kept up any more. */
export async function isSuperseded(store: ViewStore, { projection }: Build): Promise<boolean> {
  const serving = await store.readMark(marks.serving(projection.name))
  return serving !== undefined && parsed(serving).version > projection.version
}

/** Drops what neither serves, nor is the way back, nor is being built by this release or a newer one. */
export async function dropOutdated(store: ViewStore, projection: Projection, nowMs: number): Promise<void> {
  const { name, version, isPersonal = false } = projection
  const serving = await store.readMark(marks.serving(name))
  const former = isPersonal ? undefined : await store.readMark(marks.former(name))
  // Ours whatever serves by now: what was read of that may be old.
  const kept = new Set([version, ...[serving, former].map((build) => build && parsed(build).version)])
  for (const collectionName of await store.collections()) {
    const other = parsed(collectionName)
    if (other.name !== name) continue
    const current = await numberedBuild(store, other)
    if (current && !isPast(other, current)) {
      // What it is just being copied into stays as long as it does.
      if (kept.has(other.version)) continue
      const build = { collection: { name: collectionName } }
      if (other.version > version && !(await isReady(store, build))) continue
    }
    await drop(store, collectionName, nowMs)
  }
}

/** How far any view that was made from this log has come; `START` where they are of another. */
export async function furthestCheckpoint(store: ViewStore, log: { readonly id: string }): Promise<Position> {
  if ((await store.readMark(marks.log)) !== log.id) return START
  let furthest = START
  for (const name of await store.collections()) {
    const checkpoint = await checkpointOf(store, { collection: { name } })
    if (checkpoint > furthest) furthest = checkpoint
  }
  return furthest
}

/**
 * Drops every view that was made from another log, or from more of this one than there is: then it was put back from a backup, and positions mean other
 * events now. Says whether there was any. A view that is built meanwhile is built again.
 */
export async function dropForeignViews(store: ViewStore, log: LogEnd & { readonly id: string }): Promise<boolean> {
  const isOurs = (await store.readMark(marks.log)) === log.id
  // The head is asked behind the views: another process may be folding what was appended just now.
  if (isOurs && (await furthestCheckpoint(store, log)) <= (await log.head())) return false
  const collections = await store.collections()
  for (const name of collections) {
    await giveUp(store, parsed(name), log.now())
    await store.drop(name)
  }
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
 * wipes what it drops. Others may write to it, copy it, or drop or wipe it at the same time. Says whether it is done; not when `signal` was aborted, or another
 * one was faster. Not for a projection with a counter: it would be older than what it counts.
 */
export async function copyBuild(
  store: ViewStore,
  build: Build,
  { signal, now, pageSize = COPIED_AT_ONCE }: { signal: AbortSignal; now: () => number; pageSize?: number },
): Promise<boolean> {
  const { projection, collection } = build
  const original = parsed(collection.name)
  const attempt = await nextAttempt(store, build)
  if (attempt === undefined) return false
  if (attempt > COPIES_MAX) {
    await drop(store, collection.name, now())
    await dropOutdated(store, projection, now())
    return false
  }
  const copied = { number: original.number + 1, born: `${birthOf(original)}${attemptText(attempt)}` }
  const copy = buildOf(projection, copied)
  // Read first: whatever is folded into the old one from here on is folded into the copy again.
  const checkpoint = await checkpointOf(store, build)
  await store.open(copy.collection)
  if (!(await copyDocuments(store, { from: collection, to: copy.collection, pageSize, signal }))) return false
  await store.setMark(marks.variant(copy), projection.variant ?? '')
  await raiseCheckpoint(store, copy, checkpoint)
  await store.setMark(marks.ready(copy), YES)
  // Last, and only where the old one is still kept up: then nobody has dropped, wiped or copied it since the beginning, and the copy is whole.
  const hasTakenOver = await store.replaceMark(marks.build(projection), { from: textOf(original), to: textOf(copied) })
  await dropOutdated(store, projection, now())
  return hasTakenOver
}

async function copyDocuments(
  store: ViewStore,
  { from, to, pageSize, signal }: { from: Collection; to: Collection; pageSize: number; signal: AbortSignal },
): Promise<boolean> {
  let last: ViewDocument | undefined
  do {
    const after = last && { after: { id: last.id } }
    // Tombstones are not found, nor needed: who was erased opens as erased.
    const some = await store.find(from, { ...after, sort: { direction: 'asc' }, limit: pageSize })
    await store.write(to, some)
    last = some.length < pageSize ? undefined : some.at(-1)
    await othersTurn()
    if (signal.aborted) return false
  } while (last)
  return true
}

/** Nobody else has its number, nor had it before; undefined where another one was faster. */
async function nextAttempt(store: ViewStore, build: Build): Promise<number | undefined> {
  const mark = marks.copies(build)
  await store.raiseMark(mark, attemptText(0))
  const from = (await store.readMark(mark)) ?? attemptText(0)
  const attempt = Number(from) + 1
  return (await store.replaceMark(mark, { from, to: attemptText(attempt) })) ? attempt : undefined
}

function attemptText(attempt: number): string {
  return String(attempt).padStart(ATTEMPT_DIGITS, '0')
}

/** Whatever is kept up of it now, and what that is being copied into. */
async function giveUp(store: ViewStore, build: Versioned & Numbered, nowMs: number): Promise<void> {
  const { number } = (await numberedBuild(store, build)) ?? build
  await raiseBuild(store, build, { number: number + 2, born: bornAt(nowMs) })
}

/** The mark first: from then on nobody takes the collection for a build, whatever becomes of dropping it. */
async function drop(store: ViewStore, collectionName: string, nowMs: number): Promise<void> {
  const build = parsed(collectionName)
  const current = await numberedBuild(store, build)
  if (current === undefined || !isPast(build, current))
    await raiseBuild(store, build, { number: build.number + 1, born: bornAt(nowMs) })
  await store.drop(collectionName)
}

function parsed(collectionName: string): Versioned & Numbered {
  const [name = '', text = '', born = ''] = collectionName.split('@')
  const number = Number(text)
  return { name, version: Math.floor(number / BUILDS_MAX), number: number % BUILDS_MAX, born }
}

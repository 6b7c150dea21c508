import { setTimeout as pause } from 'node:timers/promises'
import { type Position, START } from '../engines/event-store/event-store.ts'
import type { Projection } from '../projections/projection.ts'
import { ViewBehind, type Views } from '../projections/shop-views.ts'
import { SetGone, type Source, type ViewStore } from '../engines/view-store/view-store.ts'
import { entryOf } from './registry.ts'
import type { Runner } from './runner.ts'

/** How long a looked-up set is cached. */
const LOOKED_UP_MS = 1_000
const LOOK_EVERY_MS = 25
/** How long a read waits for a set that is behind an earlier read. */
const BEHIND_MS = 1_000

/** The set is behind an earlier read of this process. */
class SetBehind extends Error {}

/**
 * Reads the serving set of a shape. A result is never behind an earlier one of this process, nor behind the log's head at which the set was begun. With this
 * process's `runner`, a wait ends as soon as the views catch up; without it, the checkpoint is polled.
 */
// oxlint-disable-next-line max-lines-per-function -- short steps that share the serving set and the floor
export function viewReader(options: {
  store: ViewStore
  shape: string
  projections: readonly Projection[]
  now: () => number
  sleep?: (ms: number) => Promise<unknown>
  runner?: Pick<Runner, 'waitFor'> | undefined
}): Views {
  const { store, shape, projections, now, sleep = pause, runner } = options
  const collections = new Map(projections.map((projection) => [projection.name, projection]))
  let known: { readonly set: string; readonly until: number } | undefined
  let floor: Position = START
  /** The highest position of a loaded document: ahead of the checkpoint while a page is half folded. */
  let newest: Position = START
  let served: string | undefined

  /** Undefined while no set serves. */
  async function serving(): Promise<string | undefined> {
    if (known && now() < known.until) return known.set
    const before = known?.set
    known = undefined
    const { serving: set } = await entryOf(store, shape)
    if (set === undefined) return undefined
    if (set !== before) {
      const state = await store.stateOf(set)
      if (!state) return undefined
      raise(state.beginHead)
    }
    if (set !== served) raise(newest)
    served = set
    known = { set, until: now() + LOOKED_UP_MS }
    return set
  }

  function raise(position: Position): void {
    if (position > floor) floor = position
  }

  async function ask<T>(name: string, question: (source: Source) => Promise<T>): Promise<T> {
    const collection = collections.get(name)
    if (!collection) throw new TypeError(`there is no view '${name}'`)
    const set = await serving()
    if (set === undefined) throw new SetGone(shape)
    const onRead = (checkpoint: Position): void => {
      if (checkpoint < floor) throw new SetBehind()
      // Personal collections are folded first: the others may be a page behind.
      if (collection.isPersonal !== true) raise(checkpoint)
    }
    return question({ set, collection, onRead })
  }

  /** Retries while the serving set is behind, or has just been replaced. */
  async function read<T>(name: string, question: (source: Source) => Promise<T>): Promise<T> {
    for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS)
      try {
        return await ask(name, question)
      } catch (error) {
        if (!(error instanceof SetGone) && !(error instanceof SetBehind)) throw error
        const isNoneServing = known === undefined
        known = undefined
        if ((error instanceof SetGone && (isNoneServing || waitedMs > 0)) || waitedMs >= BEHIND_MS)
          throw new ViewBehind(name)
        if (error instanceof SetBehind) await sleep(LOOK_EVERY_MS)
      }
  }

  async function position(): Promise<Position | undefined> {
    const set = await serving()
    const state = set === undefined ? undefined : await store.stateOf(set)
    if (!state) known = undefined
    return state?.checkpoint
  }

  return {
    async load(name, ids) {
      const documents = await read(name, async (source) => store.load(source, ids))
      for (const { position: reached } of documents.values()) if (reached > newest) newest = reached
      return documents
    },
    find: async (name, query, page) => read(name, async (source) => store.find(source, query, page)),
    count: async (name, query, limit) => read(name, async (source) => store.count(source, query, limit)),
    broken: async (name) => read(name, async (source) => store.broken(source)),
    position,

    async waitFor(wanted, timeoutMs) {
      if (wanted <= floor) return true
      const deadline = now() + timeoutMs
      for (let leftMs = timeoutMs; ; leftMs -= LOOK_EVERY_MS) {
        const waitMs = Math.max(0, Math.min(LOOK_EVERY_MS, leftMs))
        if (await runner?.waitFor(wanted, waitMs)) break
        if (((await position()) ?? START) >= wanted) break
        known = undefined
        if (leftMs <= 0 || now() > deadline) return false
        if (!runner) await sleep(waitMs)
      }
      raise(wanted)
      return true
    },
  }
}

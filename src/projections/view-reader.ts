import { setImmediate as othersTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Position } from '../event-store/event-store.ts'
import type { Collection, Query, ViewDocument, ViewStore } from '../view-store/view-store.ts'
import { type Build, checkpointOf, currentBuild, isReady } from './builds.ts'
import type { Projection } from './projection.ts'
import type { Runner } from './runner.ts'
import { TryAgain } from '../ports/try-again.ts'

/** How long it is taken for granted that a view still stands where it stood. */
const SETTLED_MS = 1_000
const LOOK_EVERY_MS = 25

/** The view is being built, or has not yet seen what the caller has. */
export class ViewBehind extends TryAgain {
  override readonly name = 'ViewBehind'
  readonly code = 'view-behind'
  readonly retryAfterSeconds: number
  constructor(view: string, retryAfterSeconds = 1) {
    super(`The view '${view}' is being brought up to date.`)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The views as their readers meet them, in whatever process these are. */
export interface Views {
  readonly store: ViewStore
  /** Where this view's documents are. Throws `ViewBehind` until its first build has reached the end that the log had when it began. */
  collection(name: string): Promise<Collection>
  /** Whether a view's documents are still there, asked of the store itself: views may be wiped at any moment, and then nothing is found. */
  isStanding(collection: Collection): Promise<boolean>
  /** True as soon as all views, or those of these names, have seen `position`; false when `timeoutMs` passed before. */
  waitFor(position: Position, timeoutMs: number, names?: readonly string[]): Promise<boolean>
}

interface Settled {
  readonly build: Build
  readonly until: number
}

/** With `runner`, the one of this process, waiting ends the moment it is there; without, the views are looked at again and again. */
export function viewReader(options: {
  store: ViewStore
  projections: readonly Projection[]
  now: () => number
  runner?: Pick<Runner, 'waitFor'>
}): Views {
  const { store, projections, now, runner } = options
  const settled = new Map<string, Settled>()
  const opened = new Set<string>()
  const names = [...new Set(projections.map(({ name }) => name))]

  async function serving(name: string): Promise<Build | undefined> {
    const known = settled.get(name)
    if (known && now() < known.until) return known.build
    const versions = projections.filter((projection) => projection.name === name)
    for (const projection of versions.toSorted((a, b) => b.version - a.version)) {
      const build = await currentBuild(store, projection)
      if (!(await isReady(store, build))) continue
      if (!opened.has(build.collection.name)) await store.open(build.collection)
      opened.add(build.collection.name)
      settled.set(name, { build, until: now() + SETTLED_MS })
      return build
    }
    return undefined
  }

  async function hasSeen(position: Position, asked: readonly string[]): Promise<boolean> {
    for (const name of asked) {
      const build = await serving(name)
      if (!build || (await checkpointOf(store, build)) < position) return false
    }
    return true
  }

  return {
    store,

    async collection(name) {
      const build = await serving(name)
      if (!build) throw new ViewBehind(name)
      return build.collection
    },

    async isStanding({ name }) {
      for (const projection of projections) {
        const build = await currentBuild(store, projection)
        if (build.collection.name === name) return isReady(store, build)
      }
      return false
    },

    async waitFor(position, timeoutMs, asked = names) {
      if (runner) return runner.waitFor(position, timeoutMs, asked)
      const deadline = now() + timeoutMs
      while (!(await hasSeen(position, asked))) {
        if (now() >= deadline) return false
        await sleep(LOOK_EVERY_MS)
      }
      return true
    },
  }
}

/** Few enough that whoever else waits for this thread does not wait for long. */
const PAGE = 100
/** More than this of one kind is left for the next time. */
const WALKED_MAX = 200_000

/** Every document that matches, one page after another, in the order asked for; `bodyIn` makes of what is stored what is shown. */
export async function* all<Body>(
  { store }: Pick<Views, 'store'>,
  collection: Collection,
  { bodyIn = (stored) => stored as Body, ...query }: Omit<Query, 'limit'> & { bodyIn?: (stored: unknown) => Body },
): AsyncGenerator<ViewDocument<Body> & { body: Body }> {
  let { after } = query
  for (let walked = 0; walked < WALKED_MAX; walked += PAGE) {
    const page = await store.find(collection, { ...query, ...(after && { after }), limit: PAGE })
    let last: ViewDocument | undefined
    for (const document of page) yield (last = { ...document, body: bodyIn(document.body) })
    if (!last || page.length < PAGE) return
    after = afterDocument(last, query.sort?.field)
    await othersTurn()
  }
}

/** Where a page that ended with this document continues. */
export function afterDocument(document: ViewDocument, field: string | undefined): NonNullable<Query['after']> {
  const value = field === undefined ? undefined : (document.body as Record<string, string | number>)[field]
  return value === undefined ? { id: document.id } : { value, id: document.id }
}

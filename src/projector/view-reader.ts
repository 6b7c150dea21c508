import { setTimeout as sleep } from 'node:timers/promises'
import type { Position } from '../event-store/event-store.ts'
import type { Projection } from '../projections/projection.ts'
import { ViewBehind, type StoredViews } from '../projections/views.ts'
import type { ViewStore } from '../view-store/view-store.ts'
import { answeringBuild, type Build, buildsOf, checkpointOf, isReady } from './builds.ts'
import type { Runner } from './runner.ts'

/** How long a view's position is cached. */
const SETTLED_MS = 1_000
const LOOK_EVERY_MS = 25

interface Settled {
  readonly build: Build
  /** Another one stands beside it, and this process's runner may know of one of them only. */
  readonly isOneOfTwo: boolean
  readonly until: number
}

/** With this process's `runner`, waiting ends at once; without it, the views are polled. */
export function viewReader(options: {
  store: ViewStore
  projections: readonly Projection[]
  now: () => number
  runner?: Pick<Runner, 'waitFor'>
}): StoredViews {
  const { store, projections, now, runner } = options
  const settled = new Map<string, Settled>()
  const opened = new Set<string>()
  const names = [...new Set(projections.map(({ name }) => name))]

  async function serving(name: string): Promise<Build | undefined> {
    const known = settled.get(name)
    if (known && now() < known.until) return known.build
    const versions = projections.filter((projection) => projection.name === name)
    for (const projection of versions.toSorted((a, b) => b.version - a.version)) {
      const answering = await answeringBuild(store, projection)
      if (!answering) continue
      const { build } = answering
      if (!opened.has(build.collection.name)) await store.open(build.collection)
      opened.add(build.collection.name)
      settled.set(name, { ...answering, until: now() + SETTLED_MS })
      return build
    }
    return undefined
  }

  async function hasSeen(position: Position, asked: readonly string[]): Promise<boolean> {
    for (const name of asked) {
      const build = await serving(name)
      if (!build || (await checkpointOf(store, build.collection)) < position) return false
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

    async isStanding(collection) {
      for (const projection of projections) {
        const builds = await buildsOf(store, projection)
        const names = [builds?.current, builds?.beside].map((build) => build?.collection.name)
        if (names.includes(collection.name)) return isReady(store, collection)
      }
      return false
    },

    async waitFor(position, timeoutMs, asked = names) {
      const deadline = now() + timeoutMs
      if (runner) {
        if (!(await runner.waitFor(position, timeoutMs, asked))) return false
        if (!asked.some((name) => settled.get(name)?.isOneOfTwo)) return true
      }
      while (!(await hasSeen(position, asked))) {
        if (now() >= deadline) return false
        await sleep(LOOK_EVERY_MS)
      }
      return true
    },
  }
}

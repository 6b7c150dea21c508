import type { Config } from '../config.ts'
import { type Engines, openShopEngines } from '../process/shop-engines.ts'
import { eventLog } from '../log/event-log.ts'
import { START } from '../engines/event-store/event-store.ts'
import { shareOf, shortOf } from '../engines/event-store/limits.ts'
import { openVault, openViews } from '../engines/open-engines.ts'
import { openLogStore } from '../log/open-log-store.ts'
import { shapeOf } from '../projections/shape.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { lagText, viewLag } from '../projector/lag.ts'
import { entryOf, namedSets, readRegistry, setsOf } from '../projector/registry.ts'
import { beginSet, projectionRunner } from '../projector/runner.ts'
import { systemClock } from '../process/system.ts'
import { configOfShop } from './config-of-shop.ts'
import { say } from './lines.ts'
import { progressOn } from './progress.ts'

const MB = 1_000_000
const CHECK_EVERY_MS = 200
const STUCK_MS = 180_000

/** Prints a line for each set, and below it the documents that are set aside. Opens everything read-only. */
export async function listViews(): Promise<void> {
  const config = await configOfShop()
  const { shape: ownShape, projections } = shapeIn(config)
  const vault = await openVault(config, { isReadOnly: true })
  const events = await openLogStore(config, { isReadOnly: true })
  const store = await openViews(config, { isReadOnly: true })
  try {
    const log = eventLog({ store: events, vault, sleep: systemClock.sleep })
    const registry = await readRegistry(store)
    const lines: string[] = []
    for (const [shape, entry] of Object.entries(registry))
      for (const set of setsOf(entry)) {
        const state = await store.stateOf(set)
        const views = { position: async () => state?.checkpoint ?? START, broken: async () => [] }
        const lag = await viewLag({ log, views, projections: [], now: () => systemClock.now() })
        const bytes = await store.bytes(set)
        const parts = [
          `${set}: ${set === entry.serving ? 'serves' : set === entry.building ? 'being built' : 'former'}`,
          ...(shape === ownShape ? [] : ['of another release or time zone']),
          state ? (lagText(lag) ?? 'up to date') : 'not there',
          ...(bytes === undefined ? [] : [`${(bytes / MB).toFixed(1)} MB`]),
        ]
        lines.push(parts.join(', '))
        if (state && shape === ownShape)
          for (const collection of projections)
            for (const { id, reason } of await store.broken({ set, collection }))
              lines.push(`  set aside: ${collection.name} ${id}: ${reason}`)
      }
    const named = new Set(namedSets(registry))
    const others = (await store.found()).filter((set) => !named.has(set))
    lines.push(...others.map((set) => `${set}: left over, dropped by the running shop`))
    say(lines.join('\n') || 'no views are there: a running shop builds them')
  } finally {
    for (const engine of [store, events, vault]) await engine.close()
  }
}

/** Builds this release's set while an older release runs. */
export async function prepareViews(): Promise<void> {
  await build(async ({ views, log }, { shape }) => {
    const { serving } = await entryOf(views, shape)
    const state = serving === undefined ? undefined : await views.stateOf(serving)
    return state !== undefined && state.checkpoint >= (await log.head())
  })
  say('the views of this release are built: it can be started')
}

/** Builds a new set while the old one serves, and waits until it takes over. */
export async function rebuildViews(): Promise<void> {
  let begun: string | undefined
  await build(async ({ views, log, logId }, shaped) => {
    if (begun === undefined) {
      await beginSet(views, { ...shaped, log, logId, beside: true })
      begun = (await entryOf(views, shaped.shape)).building
    }
    const entry = await entryOf(views, shaped.shape)
    if (entry.serving === begun) return true
    if (entry.building !== begun) throw new Error('the new views were dropped meanwhile; those that served go on')
    return false
  })
  say('built anew; the former views are dropped a minute after')
}

type Shaped = ReturnType<typeof shapeIn>

/** Folds until `isDone`, or waits for a running shop's projector, which has the lease of its own views. */
async function build(isDone: (engines: Engines, shaped: Shaped) => Promise<boolean>): Promise<void> {
  const config = await configOfShop()
  const shaped = shapeIn(config)
  const engines = await openShopEngines(config, { leavesViews: true })
  const { views: store, log, logId } = engines
  const progress = progressOn()
  let trouble: unknown
  const onTrouble = (error: unknown): void => void (trouble = error)
  const clock = { now: () => performance.now(), sleep: async (ms: number) => systemClock.sleep(ms) }
  const runner = projectionRunner({ log, store, logId, ...shaped, clock, onTrouble })
  let running: Promise<unknown> | undefined
  try {
    for (let seen = '', movedAt = performance.now(); !(await isDone(engines, shaped));) {
      running ??= runner.run()
      const { building, serving } = await entryOf(store, shaped.shape)
      const set = building ?? serving
      const reached = (set === undefined ? undefined : await store.stateOf(set))?.checkpoint ?? START
      const progressText = `${shareOf(reached, await log.head())} (position ${shortOf(reached)})`
      progress.show(progressText)
      if (progressText !== seen) [seen, movedAt] = [progressText, performance.now()]
      if (performance.now() - movedAt > STUCK_MS)
        throw new Error(
          `no progress for ${STUCK_MS / 1_000} s: ${seen}${trouble instanceof Error ? ` (${trouble.message})` : ''}`,
        )
      await systemClock.sleep(CHECK_EVERY_MS)
    }
  } finally {
    progress.clear()
    await runner.stop()
    await running
    await engines.close()
  }
}

function shapeIn({ SHOP_TIME_ZONE: timeZone }: Config) {
  return { shape: shapeOf({ timeZone }), projections: shopProjections({ timeZone }) }
}

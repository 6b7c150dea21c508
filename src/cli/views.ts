import { type Config, parseConfig } from '../config.ts'
import { assertShop, type Engines, openEngines, openVault, openViews } from '../engines.ts'
import { openEventStore } from '../log-engines.ts'
import { eventLog } from '../event-store/event-log.ts'
import { shapeOf } from '../projections/shape.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { systemClock } from '../system.ts'
import { progressOn } from './progress.ts'
import { buildSet, prepareSet } from './views/build-set.ts'
import { listSets } from './views/list-sets.ts'

async function configured(): Promise<Config> {
  const config = parseConfig(process.env)
  await assertShop(config)
  return config
}

function shapeIn({ SHOP_TIME_ZONE: timeZone }: Config) {
  return { shape: shapeOf({ timeZone }), projections: shopProjections({ timeZone }) }
}

/** Opens everything for reading alone. */
export async function listViews(): Promise<void> {
  const config = await configured()
  const closing: { close(): Promise<void> }[] = []
  try {
    const vault = await openVault(config, { isReadOnly: true })
    closing.push(vault)
    const events = await openEventStore(config, { isReadOnly: true })
    closing.push(events)
    const store = await openViews(config, { isReadOnly: true })
    closing.push(store)
    const log = eventLog({ store: events, vault, sleep: systemClock.sleep })
    const lines = await listSets({ log, store, ...shapeIn(config), now: () => systemClock.now() })
    for (const line of lines) say(line)
  } finally {
    for (const engine of closing.toReversed()) await engine.close()
  }
}

export async function prepareViews(): Promise<void> {
  await building(prepareSet, 'the views of this release stand: it can be started')
}

export async function rebuildViews(): Promise<void> {
  await building(buildSet, 'built anew; the former views are dropped a minute after')
}

async function building(build: typeof buildSet, done: string): Promise<void> {
  const config = await configured()
  const engines: Engines = await openEngines(config, { leavesViews: true })
  const progress = progressOn()
  try {
    await build(engines, shapeIn(config), progress)
  } finally {
    progress.clear()
    await engines.close()
  }
  say(done)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

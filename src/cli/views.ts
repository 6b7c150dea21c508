import { type Config, parseConfig } from '../config.ts'
import { assertShop, type Engines, openEngines, openVault, openViews } from '../engines.ts'
import { openEventStore } from '../log-engines.ts'
import { eventLog } from '../event-store/event-log.ts'
import { shapeOf } from '../projections/shape.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { systemClock } from '../system.ts'
import { commandOfVerbs, runCommand } from './command-line.ts'
import { progressOn } from './progress.ts'
import { buildSet, prepareSet } from './views/build-set.ts'
import { listSets } from './views/list-sets.ts'

await runCommand(
  commandOfVerbs({
    name: 'views',
    does: 'shows the views, and builds them anew while the shop sells',
    options: {},
    verbs: {
      list: {
        does: 'each set of views: whether it serves, how far it is, its size; and the documents that were set aside',
        run: async () => list(await configured()),
      },
      prepare: {
        does: 'before an upgrade, from the new release beside the running shop: builds its views, so that lists go on',
        run: async () => building(prepareSet, 'the views of this release stand: it can be started'),
      },
      rebuild: {
        does: 'builds the views anew beside those that serve, which serve until the new ones take over',
        run: async () => building(buildSet, 'built anew; the former views are dropped a minute after'),
      },
    },
    notes: `The shop may be running. What is ended early goes on where it runs, or with the next command.

Exit codes: 0 done, 1 failed, 2 wrong usage or no shop.`,
  }),
)

async function configured(): Promise<Config> {
  const config = parseConfig(process.env)
  await assertShop(config)
  return config
}

function shapeIn({ SHOP_TIME_ZONE: timeZone }: Config) {
  return { shape: shapeOf({ timeZone }), projections: shopProjections({ timeZone }) }
}

/** Opens everything for reading alone. */
async function list(config: Config): Promise<number> {
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
    return 0
  } finally {
    for (const engine of closing.toReversed()) await engine.close()
  }
}

async function building(build: typeof buildSet, done: string): Promise<number> {
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
  return 0
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

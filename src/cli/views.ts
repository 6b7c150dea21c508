import { type Config, parseConfig } from '../config.ts'
import { assertShop, type Engines, openEngines, openVault, openViews } from '../engines.ts'
import { openEventStore } from '../log-engines.ts'
import { eventLog } from '../event-store/event-log.ts'
import type { Projection } from '../projections/projection.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { currentBuild, dropBuilds, isReady } from '../projector/builds.ts'
import { systemClock } from '../system.ts'
import type { ViewStore } from '../view-store/view-store.ts'
import { commandOfVerbs, flag, runCommand, UsageError } from './command-line.ts'
import { progressOn } from './progress.ts'
import { linesOf, listViews } from './views/list.ts'
import { rebuildViews } from './views/rebuild.ts'

const ALL = 'all'

await runCommand(
  commandOfVerbs({
    name: 'views',
    does: 'shows the views, and builds them anew while the shop sells',
    options: {
      json: flag('list: for programs'),
      yes: flag('drop: the build that serves, too; then lists answer 503 until it is built again'),
    },
    verbs: {
      list: {
        does: 'each view: version, build, how far it is, documents, those set aside, size, and what else stands',
        run: async (_, { json }) => list(await configured(), json === true),
      },
      rebuild: {
        operands: ['NAME'],
        does: 'builds a view (or all) anew beside the one that serves, which serves until the new one takes over',
        run: async ([name = '']) => changing((engines, config) => rebuild(engines, named(config, name))),
      },
      drop: {
        operands: ['NAME'],
        does: 'drops the builds of a view (or all) that do not serve: former, abandoned, of other versions',
        run: async ([name = ''], { yes }) =>
          changing((engines, config) => drop(engines, named(config, name), yes === true)),
      },
      retry: {
        does: 'folds what was set aside again, after vault or release were put right: rebuilds the views that have such documents',
        run: async () => changing((engines, config) => retry(engines, named(config, ALL))),
      },
    },
    notes: `The shop may be running: then its projector builds, and this command shows how far it is; ended early, the shop goes on. Where none runs it is done here.

Exit codes: 0 done, 1 failed, or documents are still set aside, 2 wrong usage or no shop.`,
  }),
)

async function configured(): Promise<Config> {
  const config = parseConfig(process.env)
  await assertShop(config)
  return config
}

function named({ SHOP_TIME_ZONE }: Config, name: string): Projection[] {
  const projections = shopProjections({ timeZone: SHOP_TIME_ZONE })
  const found = projections.filter((projection) => name === ALL || projection.name === name)
  if (found.length > 0) return found
  throw new UsageError(`no view '${name}': ${projections.map((each) => each.name).join(', ')}, or ${ALL}`)
}

/** Opens everything for reading alone. */
async function list(config: Config, isJson: boolean): Promise<number> {
  const closing: { close(): Promise<void> }[] = []
  try {
    const vault = await openVault(config, { isReadOnly: true })
    closing.push(vault)
    const events = await openEventStore(config, { isReadOnly: true })
    closing.push(events)
    const store = await openViews(config, { isReadOnly: true })
    closing.push(store)
    const log = eventLog({ store: events, vault, sleep: systemClock.sleep })
    const views = await listViews({ log, store, projections: named(config, ALL), now: () => systemClock.now() })
    say(isJson ? JSON.stringify(views, undefined, 2) : linesOf(views).join('\n'))
    return 0
  } finally {
    for (const engine of closing.toReversed()) await engine.close()
  }
}

async function changing(work: (engines: Engines, config: Config) => Promise<number>): Promise<number> {
  const config = await configured()
  const engines = await openEngines(config, { leavesViews: true })
  try {
    return await work(engines, config)
  } finally {
    await engines.close()
  }
}

async function rebuild(engines: Engines, projections: readonly Projection[]): Promise<number> {
  const progress = progressOn()
  try {
    await rebuildViews(engines, projections, progress)
  } finally {
    progress.clear()
  }
  say(`${namesOf(projections)}: built anew; the former build is dropped a minute after`)
  return 0
}

async function drop({ views: store }: Engines, projections: readonly Projection[], all: boolean): Promise<number> {
  for (const projection of projections) {
    const { name } = projection
    const dropped = await dropBuilds(store, projection, { all, nowMs: systemClock.now() })
    const lost = dropped.some(({ is }) => is === 'current') ? '; its lists answer 503 until it is built again' : ''
    const builds = dropped.map(({ version, number, is }) => `version ${version} build ${number} (${is})`)
    say(
      `${name}: ${builds.length === 0 ? 'nothing stands that does not serve' : `dropped ${builds.join(', ')}${lost}`}`,
    )
  }
  return 0
}

/** A document may be of several streams, and what follows a broken event was left out of it: only the log in its order makes it right. */
async function retry(engines: Engines, projections: readonly Projection[]): Promise<number> {
  const broken = await withBroken(engines.views, projections)
  if (broken.length === 0) {
    say('no document is set aside')
    return 0
  }
  await rebuild(engines, broken)
  const left = await withBroken(engines.views, broken)
  if (left.length === 0) return 0
  process.stderr.write(
    `${namesOf(left)}: documents are still set aside; npm run verify says what is wrong, or a release has to mend the fold\n`,
  )
  return 1
}

async function withBroken(store: ViewStore, projections: readonly Projection[]): Promise<Projection[]> {
  const found: Projection[] = []
  for (const projection of projections) {
    const { collection } = await currentBuild(store, projection)
    if (!(await isReady(store, collection))) continue
    await store.open(collection)
    if ((await store.countBroken(collection)) > 0) found.push(projection)
  }
  return found
}

function namesOf(projections: readonly Projection[]): string {
  return projections.map(({ name }) => name).join(', ')
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

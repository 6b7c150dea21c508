import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { flag, text, UsageError, type Values, wholeNumber } from '../src/cli/command-line.ts'

export const scenarioNames = ['reads', 'place', 'deliver', 'visible', 'log'] as const
export type ScenarioName = (typeof scenarioNames)[number]

const size = wholeNumber('N', '', { min: 100, max: 10_000_000 })

export const commandOptions = {
  against: {
    takes: 'DIR',
    does: 'also measures the checkout in DIR (with its node_modules), turn by turn in the same rounds: DIR is before, this is after',
    read: checkout,
  },
  base: {
    takes: 'COMMIT,COMMIT',
    does: 'only the processor time per request, beside these commits, each cloned and installed for the run; all on the Node of the first one (Linux only)',
    read: (given: string) => given.split(','),
  },
  full: flag('also with 1,000,000 orders in the log (about 15 GB of disk, 30 GB with --against)'),
  orders: {
    takes: 'N,N',
    does: 'other sizes of the log (100000)',
    read: (given: string, name: string) => given.split(',').map((one) => size.read(one, name)),
  },
  rounds: wholeNumber(
    'N',
    'each figure is the median of this many rounds (3); logs above 100,000 orders are measured in the first one only',
    { min: 1, max: 25 },
  ),
  seconds: wholeNumber('N', 'length of each load (3)', { min: 1, max: 60 }),
  servers: flag(
    'measures the shop on the servers of EVENTSTOREDB_URL, MONGODB_URL, VAULT_URL and REDIS_URL, beside their clients alone; those that are not named are started (10,000 orders)',
  ),
  only: { takes: 'NAMES', does: `only these, separated by commas: ${scenarioNames.join(', ')}`, read: scenariosOf },
  profile: text(
    'FOLDER',
    "every shop writes a CPU profile of each of its threads there when it stops (--cpu-prof); open them in the browser's DevTools",
  ),
}

/** Of a run with --servers: what the others mean is not measured there. */
const OF_SERVERS = new Set(['servers', 'orders', 'rounds', 'seconds', 'profile'])
/** Of a run with --base. */
const OF_BASE = new Set(['base', 'rounds'])
const ORDERS_ON_SERVERS = 10_000

export interface Options {
  /** On servers, beside their clients, instead of everything else. */
  readonly isOnServers: boolean
  /** Root of the checkout that is measured as before. */
  readonly against: string | undefined
  /** Commits beside which requests are measured, instead of everything else. */
  readonly bases: readonly string[] | undefined
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly seconds: number
  readonly scenarios: ReadonlySet<ScenarioName>
  readonly profile: string | undefined
}

export function optionsFrom(values: Values<typeof commandOptions>): Options {
  const isOnServers = values.servers ?? false
  const other = (known: ReadonlySet<string>): string | undefined =>
    Object.entries(values).find(([name, value]) => value !== undefined && !known.has(name))?.[0]
  for (const [name, isAsked, known] of [
    ['servers', isOnServers, OF_SERVERS],
    ['base', values.base !== undefined, OF_BASE],
  ] as const)
    if (isAsked && other(known) !== undefined) throw new UsageError(`--${name} does not go with --${other(known)}`)
  if (isOnServers && values.orders !== undefined && values.orders.length > 1)
    throw new UsageError('--servers takes one size in --orders')
  const sizes = values.full ? [100_000, 1_000_000] : [isOnServers ? ORDERS_ON_SERVERS : 100_000]
  return {
    isOnServers,
    against: values.against,
    bases: values.base,
    sizes: values.orders ?? sizes,
    rounds: values.rounds ?? (values.base ? 9 : 3),
    seconds: values.seconds ?? 3,
    scenarios: values.only ?? new Set(scenarioNames),
    profile: values.profile === undefined ? undefined : resolve(values.profile),
  }
}

function checkout(given: string): string {
  const folder = resolve(given)
  if (existsSync(resolve(folder, 'node_modules'))) return folder
  throw new UsageError(`--against takes a checkout with its node_modules, not '${folder}'`)
}

function scenariosOf(given: string): ReadonlySet<ScenarioName> {
  const names = given.split(',')
  const unknown = names.find((name) => !scenarioNames.some((known) => known === name))
  if (unknown !== undefined) throw new UsageError(`--only knows no '${unknown}': ${scenarioNames.join(', ')}`)
  return new Set(scenarioNames.filter((name) => names.includes(name)))
}

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export const scenarioNames = ['reads', 'place', 'deliver', 'visible', 'log'] as const
export type ScenarioName = (typeof scenarioNames)[number]

export const HELP = `npm run bench [-- options]   measures this shop beside a bare Express hello-world, on this machine

  --against DIR      also measures the checkout in DIR (with its node_modules), turn by turn in the same rounds: DIR is before, this is after
  --full             also with 1,000,000 orders in the log (about 15 GB of disk, 30 GB with --against)
  --orders N,N       other sizes of the log (100000)
  --rounds N         each figure is the median of this many rounds (3); logs above 100,000 orders are measured in the first one only
  --seconds N        length of each load (3)
  --only NAMES       only these, separated by commas: ${scenarioNames.join(', ')}
  --profile FOLDER   every shop writes a CPU profile of each of its threads there when it stops (--cpu-prof); open them in the browser's DevTools

Every shop is one process with all its roles, started as by npm start, but with RATE_LIMIT=off and DELIVERY=instant. The books are balanced after each load.
Exit codes: 0 done, 1 the books do not balance or it could not be done, 2 wrong usage.`

export interface Options {
  /** Root of the checkout that is measured as before. */
  readonly against: string | undefined
  readonly sizes: readonly number[]
  readonly rounds: number
  readonly seconds: number
  readonly scenarios: ReadonlySet<ScenarioName>
  readonly profile: string | undefined
}

/** Wrong usage, in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Throws `UsageError`. */
export function parseOptions(words: readonly string[]): Options | 'help' {
  const values = parsed(words)
  if (values.help === true) return 'help'
  const only = values.only?.split(',')
  const unknown = only?.find((name) => !scenarioNames.some((known) => known === name))
  if (unknown !== undefined) throw new UsageError(`--only knows no '${unknown}': ${scenarioNames.join(', ')}`)
  const against = values.against === undefined ? undefined : resolve(values.against)
  if (against !== undefined && !existsSync(resolve(against, 'node_modules')))
    throw new UsageError(`--against takes a checkout with its node_modules, not '${against}'`)
  const sizes = values.orders?.split(',') ?? (values.full === true ? ['100000', '1000000'] : ['100000'])
  return {
    against,
    sizes: sizes.map((size) => wholeNumber('--orders', size, { min: 100, max: 10_000_000 })),
    rounds: wholeNumber('--rounds', values.rounds ?? '3', { min: 1, max: 25 }),
    seconds: wholeNumber('--seconds', values.seconds ?? '3', { min: 1, max: 60 }),
    scenarios: new Set(only ? scenarioNames.filter((name) => only.includes(name)) : scenarioNames),
    profile: values.profile === undefined ? undefined : resolve(values.profile),
  }
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        help: { type: 'boolean' },
        against: { type: 'string' },
        full: { type: 'boolean' },
        orders: { type: 'string' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        only: { type: 'string' },
        profile: { type: 'string' },
      },
    }).values
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${text.split('.')[0] ?? text} (see --help)`)
  }
}

function wholeNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < min || number > max)
    throw new UsageError(`${name} takes a whole number from ${min} to ${max}, not '${text}'`)
  return number
}

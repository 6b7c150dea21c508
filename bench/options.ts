import { parseArgs } from 'node:util'

export const HELP = `npm run bench [-- options]   measures this shop beside a bare Express hello-world, in one run on this machine

  --full             also at 1,000 to 1,000,000 orders in the log, and a soak of five minutes (some 40 minutes; needs some 15 GB of disk)
  --rounds N         each figure is the median of so many rounds (3); by size of the log only starts and lists are repeated
  --seconds N        about so long lasts each load (3)
  --only NAMES       only these, with commas between: NAMES_LIST
  --sizes N,N        the sizes of --full (1000,10000,100000,1000000)
  --soak-seconds N   the length of the soak of --full (300)
  --docs FOLDER      where benchmarks.md and its charts are written (docs); with --only nothing is written

With MONGODB_URL, VAULT_URL and REDIS_URL set, 'servers' also measures the shop on them, each run in databases of its own.
Everything is one process of the shop with all its roles, the production middleware and the settings of npm start, but RATE_LIMIT=off and DELIVERY=instant. After every
load the books are balanced.
Exit codes: 0 done, 1 the books do not balance or it could not be done, 2 wrong usage.`

export const scenarioNames = [
  'reads',
  'place',
  'deliver',
  'wallet',
  'visible',
  'rebuild',
  'servers',
  'budget',
  'sizes',
  'soak',
] as const
export type ScenarioName = (typeof scenarioNames)[number]
/** These are part of `--full` alone. */
const largeOnes: ReadonlySet<ScenarioName> = new Set(['sizes', 'soak'])

export interface Options {
  readonly isFull: boolean
  readonly rounds: number
  readonly seconds: number
  readonly scenarios: ReadonlySet<ScenarioName>
  readonly sizes: readonly number[]
  readonly soakSeconds: number
  /** Where the results are written; undefined: only printed. */
  readonly docs: string | undefined
}

/** Wrong usage, in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Throws `UsageError`. `help` asks for nothing but the help. */
export function parseOptions(words: readonly string[]): Options | 'help' {
  const values = parsed(words)
  if (values.help === true) return 'help'
  const isFull = values.full ?? false
  const only = values.only?.split(',')
  const unknown = only?.find((name) => !scenarioNames.some((known) => known === name))
  if (unknown !== undefined) throw new UsageError(`--only knows no '${unknown}': ${scenarioNames.join(', ')}`)
  const byDefault = scenarioNames.filter((name) => isFull || !largeOnes.has(name))
  return {
    isFull,
    rounds: numberOf('--rounds', values.rounds, 3, { min: 1, max: 25 }),
    seconds: numberOf('--seconds', values.seconds, 3, { min: 1, max: 60 }),
    scenarios: new Set(only ? scenarioNames.filter((name) => only.includes(name)) : byDefault),
    sizes: (values.sizes?.split(',') ?? ['1000', '10000', '100000', '1000000']).map((size) =>
      numberOf('--sizes', size, 0, { min: 100, max: 10_000_000 }),
    ),
    soakSeconds: numberOf('--soak-seconds', values['soak-seconds'], 300, { min: 10, max: 86_400 }),
    docs: only ? undefined : (values.docs ?? 'docs'),
  }
}

export function helpText(): string {
  return HELP.replace('NAMES_LIST', scenarioNames.join(', '))
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        help: { type: 'boolean' },
        full: { type: 'boolean' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        only: { type: 'string' },
        sizes: { type: 'string' },
        'soak-seconds': { type: 'string' },
        docs: { type: 'string' },
      },
    }).values
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${text.split('.')[0] ?? text} (see --help)`)
  }
}

function numberOf(
  name: string,
  text: string | undefined,
  otherwise: number,
  { min, max }: { min: number; max: number },
): number {
  const number = text === undefined ? otherwise : Number(text)
  if (!Number.isSafeInteger(number) || number < min || number > max)
    throw new UsageError(`${name} takes a whole number from ${min} to ${max}, not '${text ?? ''}'`)
  return number
}

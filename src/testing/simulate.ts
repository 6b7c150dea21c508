import { parseArgs } from 'node:util'
import { actionNames } from './simulation/actions.ts'
import { Coverage } from './simulation/coverage.ts'
import { expectedCoverage } from './simulation/expected-coverage.ts'
import { faultNames } from './simulation/faults.ts'
import { replayWords, shrink } from './simulation/shrink.ts'
import { type Outcome, simulate, type SimulationOptions } from './simulation/simulation.ts'
import { anything, themes } from './simulation/themes.ts'
import { type Switch, switches } from './simulation/without.ts'

const HELP = `npm run simulate -- [options]   lets whole shops live in virtual time and looks for harm

  --seeds N          how many (1000), one after another
  --from N           the first one (1)
  --theme NAME       worlds that lean one way (see --themes)
  --seed N           one seed, with its trace
  --coverage         what the seeds have reached, and what they never did
  --without RULE     with a rule switched off (or 'all'): how many seeds of its own theme until its disaster is found
  --rules            the rules that can be switched off
  --themes           the ways in which worlds lean

A failing seed is made smaller and printed with its trace; what is printed to replay it may name:
  --schedule N  --processes N  --orders N  --actions N  --off fault,action,...

Exit codes: 0 sound (or, with --without, found), 1 harm found (or not found), 2 wrong usage.`

const PROGRESS_MS = 5_000

interface Range {
  readonly from: number
  readonly seeds: number
  readonly theme?: string
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
}

async function run(words: readonly string[]): Promise<number> {
  const asked = parsed(words)
  if (asked === undefined) {
    process.stderr.write('usage: npm run simulate -- [options] (see --help)\n')
    return 2
  }
  const { values } = asked
  if (values.help) {
    say(HELP)
    return 0
  }
  if (values.rules) {
    for (const without of switches) say(`${label(without)} ${without.story}`)
    return 0
  }
  if (values.themes) {
    for (const { name } of [anything, ...themes]) say(name)
    return 0
  }
  const range: Range = {
    from: numberOf(values.from, 1),
    seeds: numberOf(values.seeds, 1_000),
    ...(values.theme !== undefined && { theme: values.theme }),
  }
  if (values.without !== undefined && values.seed === undefined) return withoutRules(values.without, range)
  if (values.seed !== undefined) return one(optionsFrom(values, values.seed))
  return many(range, values.coverage ?? false)
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        help: { type: 'boolean' },
        rules: { type: 'boolean' },
        coverage: { type: 'boolean' },
        themes: { type: 'boolean' },
        theme: { type: 'string' },
        seeds: { type: 'string' },
        from: { type: 'string' },
        seed: { type: 'string' },
        schedule: { type: 'string' },
        processes: { type: 'string' },
        orders: { type: 'string' },
        actions: { type: 'string' },
        off: { type: 'string' },
        without: { type: 'string' },
      },
    })
  } catch {
    return undefined
  }
}

type Values = NonNullable<ReturnType<typeof parsed>>['values']

function optionsFrom(values: Values, seed: string): SimulationOptions {
  const off = new Set((values.off ?? '').split(','))
  const without = values.without === undefined ? undefined : switchFor(values.without)
  const theme = values.theme ?? without?.theme
  return {
    seed: numberOf(seed, 1),
    schedule: numberOf(values.schedule, 0),
    ...(theme !== undefined && { theme }),
    ...(values.processes !== undefined && { processesMax: numberOf(values.processes, 1) }),
    ...(values.orders !== undefined && { ordersMax: numberOf(values.orders, 1) }),
    ...(values.actions !== undefined && { actionsMax: numberOf(values.actions, 1) }),
    offFaults: faultNames.filter((fault) => off.has(fault)),
    offActions: actionNames.map(([action]) => action).filter((action) => off.has(action)),
    ...(without && { without }),
  }
}

async function one(options: SimulationOptions): Promise<number> {
  const outcome = await simulate({ ...options, isTraced: true })
  print(outcome)
  return outcome.problems.length === 0 ? 0 : 1
}

async function many({ from, seeds, theme }: Range, isCovered: boolean): Promise<number> {
  const coverage = new Coverage()
  const began = performance.now()
  let told = began
  for (let seed = from; seed < from + seeds; seed += 1) {
    const options = { seed, ...(theme !== undefined && { theme }) }
    const outcome = await simulate(options)
    coverage.add(outcome.coverage)
    if (outcome.problems.length > 0) return failed(options)
    if (performance.now() - told < PROGRESS_MS) continue
    told = performance.now()
    say(`${seed - from + 1} of ${seeds} seeds, ${perSecond(seed - from + 1, began)}`)
  }
  if (isCovered) say(coverage.text(expectedCoverage))
  say(`${seeds} seeds without harm, ${perSecond(seeds, began)}`)
  return 0
}

async function failed(options: SimulationOptions): Promise<number> {
  say(`seed ${options.seed} goes wrong; looking for a smaller world in which it does`)
  const shrunk = await shrink(options)
  print(shrunk.outcome)
  say(`\nreplay: npm run simulate -- ${replayWords(shrunk)}`)
  return 1
}

function print({ trace, problems }: Outcome): void {
  say(trace.join('\n'))
  say(problems.length === 0 ? '\nNothing went wrong.' : `\n${problems.join('\n')}`)
}

async function withoutRules(name: string, { from, seeds, theme }: Range): Promise<number> {
  const chosen = name === 'all' ? switches : [switchFor(name)]
  let missed = 0
  for (const without of chosen) {
    const world = theme ?? without.theme
    const found = await firstHarm(without, { from, seeds, theme: world })
    if (!found) missed += 1
    const seed = found ? `seed ${found.seed}` : `not within ${seeds} seeds`
    say(`${label(without)} ${world.padEnd(24)} ${seed.padEnd(24)} ${found?.problem ?? ''}`)
    if (name === 'all' || !found) continue
    const shrunk = await shrink({ seed: found.seed, theme: world, without })
    print(shrunk.outcome)
    say(`\nreplay: npm run simulate -- ${replayWords(shrunk)}`)
  }
  return missed === 0 ? 0 : 1
}

async function firstHarm(
  without: Switch,
  { from, seeds, theme }: Required<Range>,
): Promise<{ seed: number; problem: string } | undefined> {
  for (let seed = from; seed < from + seeds; seed += 1) {
    const [problem] = (await simulate({ seed, theme, without })).problems
    if (problem !== undefined) return { seed, problem }
  }
  return undefined
}

function label({ rule, name }: Switch): string {
  return `${String(rule).padStart(7)}  ${name.padEnd(36)}`
}

function switchFor(name: string): Switch {
  const found = switches.find((one) => one.name === name)
  if (!found) throw new Error(`there is no rule '${name}' to switch off; --rules lists them`)
  return found
}

function numberOf(text: string | undefined, otherwise: number): number {
  const number = Number(text ?? otherwise)
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`not a whole number: ${text ?? ''}`)
  return number
}

function perSecond(seeds: number, began: number): string {
  return `${Math.round((seeds * 1_000) / (performance.now() - began))} a second`
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

import { readFileSync } from 'node:fs'
import { flag, runCommand, text, UsageError, type Values, wholeNumber } from '../cli/command-line.ts'
import { progressOn } from '../cli/progress.ts'
import { actionNames, coinActionNames, disputeActionNames, seenActionNames } from './simulation/actions.ts'
import { Coverage } from './simulation/coverage.ts'
import { expectedCoverage } from './simulation/expected-coverage.ts'
import { faultNames } from './simulation/faults.ts'
import { replayWords, shrink } from './simulation/shrink.ts'
import { type Outcome, simulate, type SimulationOptions } from './simulation/simulation.ts'
import { anything, themes } from './simulation/themes.ts'
import { type Switch, switches } from './simulation/without.ts'

interface Range {
  readonly from: number
  readonly seeds: number
  readonly theme?: string
}

const any = { min: 0, max: Number.MAX_SAFE_INTEGER }
const some = { min: 1, max: Number.MAX_SAFE_INTEGER }
const options = {
  seeds: wholeNumber('N', 'how many (1000), one after another', some),
  from: wholeNumber('N', 'the first one (1)', any),
  theme: text('NAME', 'worlds that lean one way (see --themes)'),
  seed: wholeNumber('N', 'one seed, with its trace', any),
  coverage: flag('what the seeds have reached, and what they never did'),
  without: text(
    'RULE',
    "with a rule switched off (or 'all'): how many seeds of its own theme until its disaster is found",
  ),
  rules: flag('the rules that can be switched off, and the harm without each'),
  themes: flag('the ways in which worlds lean'),
  schedule: wholeNumber('N', 'printed to replay a failing seed, as are the following', any),
  processes: wholeNumber('N', 'at most so many', any),
  orders: wholeNumber('N', 'at most so many', any),
  actions: wholeNumber('N', 'at most so many', any),
  off: text('NAMES', 'faults and actions that do not happen, separated by commas'),
}
const progress = progressOn()

await runCommand({
  name: 'simulate',
  does: 'lets whole shops live in virtual time and looks for harm',
  options,
  notes: `A failing seed is made smaller and printed with its trace, and with the words that replay it.

Exit codes: 0 sound (or, with --without, found), 1 harm found (or not found), 2 wrong usage.`,
  run,
})

async function run(values: Values<typeof options>): Promise<number> {
  const { seed, without, theme, from = 1, seeds = 1_000 } = values
  if (values.rules) {
    process.stdout.write(readFileSync(new URL('simulation/rules.txt', import.meta.url)))
    return 0
  }
  const themeNames = [anything, ...themes].map(({ name }) => name)
  if (values.themes) {
    for (const name of themeNames) say(name)
    return 0
  }
  if (theme !== undefined && !themeNames.includes(theme))
    throw new UsageError(`--theme knows no '${theme}'; --themes lists them`)
  const range: Range = { from, seeds, ...(theme !== undefined && { theme }) }
  if (without !== undefined && seed === undefined) return withoutRules(without, range)
  if (seed !== undefined) return one(optionsFrom(values, seed))
  return many(range, values.coverage ?? false)
}

function optionsFrom(values: Values<typeof options>, seed: number): SimulationOptions {
  const off = new Set(values.off?.split(','))
  const actions = [...actionNames, ...coinActionNames, ...disputeActionNames, ...seenActionNames].map(
    ([action]) => action,
  )
  const unknown = off.difference(new Set<string>([...faultNames, ...actions]))
  for (const name of unknown) throw new UsageError(`--off knows no '${name}'`)
  const without = values.without === undefined ? undefined : switchFor(values.without)
  const theme = values.theme ?? without?.theme
  return {
    seed,
    schedule: values.schedule ?? 0,
    ...(theme !== undefined && { theme }),
    ...(values.processes !== undefined && { processesMax: values.processes }),
    ...(values.orders !== undefined && { ordersMax: values.orders }),
    ...(values.actions !== undefined && { actionsMax: values.actions }),
    offFaults: faultNames.filter((fault) => off.has(fault)),
    offActions: actions.filter((action) => off.has(action)),
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
  for (let seed = from; seed < from + seeds; seed += 1) {
    const options = { seed, ...(theme !== undefined && { theme }) }
    const outcome = await simulate(options)
    coverage.add(outcome.coverage)
    if (outcome.problems.length > 0) return failed(options)
    progress.show(`${seed - from + 1} of ${seeds} seeds, ${perSecond(seed - from + 1, began)}`)
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
  if (!found) throw new UsageError(`--without knows no '${name}'; --rules lists them`)
  return found
}

function perSecond(seeds: number, began: number): string {
  return `${Math.round((seeds * 1_000) / (performance.now() - began))} a second`
}

function say(text: string): void {
  progress.clear()
  process.stdout.write(`${text}\n`)
}

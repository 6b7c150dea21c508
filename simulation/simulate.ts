import { program, runProgram, UsageError, value, wholeNumber } from '../src/cli/program.ts'
import { progressOn } from '../src/cli/progress.ts'
import { actionNames } from './actions.ts'
import { Coverage } from './coverage.ts'
import { expectedCoverage } from './expected-coverage.ts'
import { faultNames } from './faults.ts'
import { replayWords, shrink } from './shrink.ts'
import { type Outcome, simulate, type SimulationOptions } from './simulation.ts'
import { themes, themesByName } from './themes.ts'
import { type Switch, switches } from './without.ts'

/** Runs consecutive seeds. */
interface Range {
  readonly from: number
  readonly seeds: number
  readonly theme?: string | undefined
}

interface Asked extends Range {
  readonly seed?: number
  readonly coverage?: true
  readonly without?: string
  readonly schedule: number
  readonly processes?: number
  readonly orders?: number
  readonly actions?: number
  readonly off?: string
}

const any = wholeNumber(0, Number.MAX_SAFE_INTEGER)
const progress = progressOn()

await runProgram(
  program('simulate', 'Lets whole shops live in virtual time and looks for harm.')
    .option('--seeds <N>', 'how many, one after another', wholeNumber(1, Number.MAX_SAFE_INTEGER), 1_000)
    .option('--from <N>', 'the first one', any, 1)
    .option('--theme <NAME>', 'worlds that lean one way (themes.ts)', value)
    .option('--seed <N>', 'one seed, with its trace', any)
    .option('--coverage', 'what the seeds have reached, and what they never did')
    .option(
      '--without <RULE>',
      "with a rule switched off (or 'all'): how many seeds of its own theme until its disaster is found",
      value,
    )
    .option('--schedule <N>', 'printed to replay a failing seed, as are the following', any, 0)
    .option('--processes <N>', 'at most so many', any)
    .option('--orders <N>', 'at most so many', any)
    .option('--actions <N>', 'at most so many', any)
    .option('--off <NAMES>', 'faults and actions that do not happen, separated by commas', value)
    .addHelpText(
      'after',
      `
A failing seed is made smaller and printed with its trace, and with the words that replay it.
Exit code 1: harm was found, or with --without none was.`,
    )
    .action(async (asked: Asked) => {
      if (!(await isAsExpected(asked))) process.exitCode = 1
    }),
)

async function isAsExpected(asked: Asked): Promise<boolean> {
  const { seed, without, theme } = asked
  if (theme !== undefined && !(theme in { ...themes, ...themesByName }))
    throw new UsageError(`--theme knows no '${theme}', but ${Object.keys({ ...themes, ...themesByName }).join('; ')}`)
  if (seed === undefined) return without === undefined ? many(asked, asked.coverage) : withoutRules(without, asked)
  const outcome = await simulate({ ...optionsFrom(asked, seed), isTraced: true })
  print(outcome)
  return outcome.problems.length === 0
}

function optionsFrom(asked: Asked, seed: number): SimulationOptions {
  const off = new Set(asked.off?.split(','))
  const unknown = off.difference(new Set<string>([...faultNames, ...actionNames]))
  for (const name of unknown) throw new UsageError(`--off knows no '${name}'`)
  const without = asked.without === undefined ? undefined : switchFor(asked.without)
  return {
    seed,
    schedule: asked.schedule,
    theme: asked.theme ?? without?.theme,
    processesMax: asked.processes,
    ordersMax: asked.orders,
    actionsMax: asked.actions,
    offFaults: faultNames.filter((fault) => off.has(fault)),
    offActions: actionNames.filter((action) => off.has(action)),
    without,
  }
}

async function many({ from, seeds, theme }: Range, isCovered = false): Promise<boolean> {
  const coverage = new Coverage()
  const began = performance.now()
  for (let seed = from; seed < from + seeds; seed += 1) {
    const outcome = await simulate({ seed, theme })
    coverage.add(outcome.coverage)
    if (outcome.problems.length > 0) {
      say(`seed ${seed} goes wrong; looking for a smaller world in which it does`)
      await printShrunk({ seed, theme })
      return false
    }
    progress.show(`${seed - from + 1} of ${seeds} seeds, ${perSecond(seed - from + 1, began)}`)
  }
  if (isCovered) say(coverage.text(expectedCoverage))
  say(`${seeds} seeds without harm, ${perSecond(seeds, began)}`)
  return true
}

function print({ trace, problems }: Outcome): void {
  say(trace.join('\n'))
  say(problems.length === 0 ? '\nNothing went wrong.' : `\n${problems.join('\n')}`)
}

async function printShrunk(options: SimulationOptions): Promise<void> {
  const shrunk = await shrink(options)
  print(shrunk.outcome)
  say(`\nreplay: npm run simulate -- ${replayWords(shrunk)}`)
}

async function withoutRules(name: string, { from, seeds, theme }: Range): Promise<boolean> {
  const chosen = name === 'all' ? switches : [switchFor(name)]
  let missed = 0
  for (const without of chosen) {
    const world = theme ?? without.theme
    let [seed, problem] = [from, await harmOf({ seed: from, theme: world, without })]
    while (problem === undefined && seed + 1 < from + seeds)
      problem = await harmOf({ seed: (seed += 1), theme: world, without })
    if (problem === undefined) missed += 1
    const found = problem === undefined ? `not within ${seeds} seeds` : `seed ${seed}`
    const label = `${without.rule.padStart(7)}  ${without.name.padEnd(36)}`
    say(`${label} ${world.padEnd(24)} ${found.padEnd(24)} ${problem ?? ''}`)
    if (name !== 'all' && problem !== undefined) await printShrunk({ seed, theme: world, without })
  }
  return missed === 0
}

async function harmOf(options: SimulationOptions): Promise<string | undefined> {
  return (await simulate(options)).problems[0]
}

function switchFor(name: string): Switch {
  const found = switches.find((one) => one.name === name)
  if (!found) throw new UsageError(`--without knows no '${name}', but those in simulation/rules.txt`)
  return found
}

function perSecond(seeds: number, began: number): string {
  return `${Math.round((seeds * 1_000) / (performance.now() - began))} a second`
}

function say(text: string): void {
  progress.clear()
  process.stdout.write(`${text}\n`)
}

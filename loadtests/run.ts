import { Argument } from 'commander'
import { buildScreensIfDue } from '../src/process/screens.js'
import { say } from '../src/cli/lines.ts'
import { program, runProgram, UsageError, wholeNumber } from '../src/cli/program.ts'
import { k6Program, WITHOUT_K6 } from './run/k6.ts'
import { serverUrls } from './run/loaded-shop.ts'
import { runScript } from './run/run-script.ts'
import { type ScriptName, scriptNames, scripts } from './run/scripts.ts'

const list = scriptNames.map((name) => `  ${name.padEnd(16)}   ${scripts[name].does}`).join('\n')

interface LoadArguments {
  readonly servers?: true
  readonly seconds?: number
  readonly size?: number
  readonly open?: number
  readonly untimed?: true
}

await runProgram(
  program('load', 'Loads a new shop on this machine by k6, audits its books, and gives one verdict.')
    .addArgument(new Argument('<NAME>').choices(scriptNames))
    .option(
      '--servers',
      `the shop is three processes on the servers that are named by ${serverUrls.join(', ')}; else it is one, on its own files`,
    )
    .option('--seconds <N>', 'length of the load', wholeNumber(1, 86_400))
    .option('--size <N>', 'buyers, visits or orders a second; in stock-rush all buyers', wholeNumber(1, 10_000))
    .option(
      '--open <N>',
      'in pay-by-webhook: payments that are open before (half a second each); 50 of them are paid at once',
      wholeNumber(1, 2_000),
    )
    .option('--untimed', 'judges what is right, not how fast: for a machine that is busy with other things')
    .addHelpText(
      'after',
      `
${list}

The shop is started as by npm start, but with DELIVERY=instant and RATE_LIMIT=off (flood: on). Afterwards every acknowledged order
must be in the log, the books must balance, and the views must be what the log makes of them. Data is removed at the end.`,
    )
    .action(load),
)

async function load(name: ScriptName, { servers, seconds, size, open, untimed }: LoadArguments): Promise<void> {
  const named = servers ? serversHere() : {}
  const k6 = k6Program()
  if (k6 === undefined) throw new Error(WITHOUT_K6)
  await buildScreensIfDue()
  const problems = await runScript(name, { servers: named, k6, seconds, size, open, isTimed: !untimed, say })
  say(problems.length === 0 ? `load ${name}: every promise was kept` : `load ${name} FAILED:\n${problems.join('\n')}`)
  if (problems.length > 0) process.exitCode = 1
}

function serversHere(): Record<string, string> {
  const named = serverUrls.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []))
  if (named.length === 0) throw new UsageError(`--servers needs an address in at least one of ${serverUrls.join(', ')}`)
  return Object.fromEntries(named)
}

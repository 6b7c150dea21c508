import { buildScreensIfDue } from '../src/screens.js'
import { flag, runCommand, UsageError, wholeNumber } from '../src/cli/command-line.ts'
import { k6Program, WITHOUT_K6 } from './run/k6.ts'
import { serverUrls } from './run/loaded-shop.ts'
import { runScript } from './run/run-script.ts'
import { scriptNames, scripts } from './run/scripts.ts'

const list = scriptNames.map((name) => `  ${name.padEnd(16)}   ${scripts[name].does}`).join('\n')

process.on('SIGTERM', () => process.exit(143))

await runCommand({
  name: 'load',
  does: 'loads a new shop on this machine by k6, audits its books, and gives one verdict',
  operands: ['NAME'],
  options: {
    servers: flag(
      `the shop is three processes on the servers that are named by ${serverUrls.join(', ')}; else it is one, on its own files`,
    ),
    seconds: wholeNumber('N', 'length of the load', { min: 1, max: 86_400 }),
    size: wholeNumber('N', 'buyers, visits or orders a second; in stock-rush all buyers', { min: 1, max: 10_000 }),
    untimed: flag('judges what is right, not how fast: for a machine that is busy with other things'),
  },
  notes: `${list}

The shop is started as by npm start, but with DELIVERY=instant and RATE_LIMIT=off (flood: on). Afterwards every acknowledged order
must be in the log, npm run verify -- --books must find nothing, and the dashboard must show the revenue of the books. Data is removed at the end.

Exit codes: 0 every promise was kept, 1 one was not, or it could not be run, 2 wrong usage.`,
  async run({ servers, seconds, size, untimed }, [given = '']) {
    const name = scriptNames.find((one) => one === given)
    if (name === undefined) throw new UsageError(`NAME is one of ${scriptNames.join(', ')}, not '${given}'`)
    const named = servers ? serversHere() : {}
    const k6 = k6Program()
    if (k6 === undefined) throw new Error(WITHOUT_K6)
    await buildScreensIfDue()
    const problems = await runScript(name, { servers: named, k6, seconds, size, isTimed: !untimed, say })
    say(problems.length === 0 ? `load ${name}: every promise was kept` : `load ${name} FAILED:\n${problems.join('\n')}`)
    return problems.length === 0 ? 0 : 1
  },
})

function serversHere(): Record<string, string> {
  const named = serverUrls.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []))
  if (named.length === 0) throw new UsageError(`--servers needs an address in at least one of ${serverUrls.join(', ')}`)
  return Object.fromEntries(named)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

import { buildScreensIfDue } from '../src/screens.js'
import { flag, runCommand, UsageError, wholeNumber } from '../src/cli/command-line.ts'
import { k6Program, WITHOUT_K6 } from './run/k6.ts'
import { serverUrls } from './run/loaded-shop.ts'
import { runScript } from './run/run-script.ts'
import { type ScriptName, scriptNames, scripts } from './run/scripts.ts'

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
    orders: wholeNumber('N', 'how many admin-dashboard begins with', { min: 100, max: 1_000_000 }),
    rounds: wholeNumber('N', 'how often, each with a new shop (1)', { min: 1, max: 100 }),
    untimed: flag('judges what is right, not how fast: for a machine that is busy with other things'),
  },
  notes: `${list}

The shop is started as by npm start, but with DELIVERY=instant (admin-dashboard: staff) and RATE_LIMIT=off (flood: on). Afterwards every acknowledged order
must be in the log, npm run verify -- --books must find nothing, and the dashboard must show the revenue of the books. Data is removed at the end.

Exit codes: 0 every promise was kept, 1 one was not, or it could not be run, 2 wrong usage.`,
  async run({ servers, seconds, size, orders, rounds = 1, untimed }, [given = '']) {
    const name = scriptNames.find((one) => one === given)
    if (name === undefined) throw new UsageError(`NAME is one of ${scriptNames.join(', ')}, not '${given}'`)
    const asked = { seeded: seededFor(name, orders), servers: servers ? serversHere() : {} }
    const k6 = k6Program()
    if (k6 === undefined) throw new Error(WITHOUT_K6)
    await buildScreensIfDue()
    const options = { ...asked, k6, seconds, size, isTimed: !untimed, say }
    for (let round = 1; round <= rounds; round += 1) {
      const problems = await runScript(name, options)
      const which = `load ${name}${rounds > 1 ? `, round ${round} of ${rounds}` : ''}`
      say(problems.length === 0 ? `${which}: every promise was kept` : `${which} FAILED:\n${problems.join('\n')}`)
      if (problems.length > 0) return 1
    }
    return 0
  },
})

function serversHere(): Record<string, string> {
  const named = serverUrls.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []))
  if (named.length === 0) throw new UsageError(`--servers needs an address in at least one of ${serverUrls.join(', ')}`)
  return Object.fromEntries(named)
}

function seededFor(name: ScriptName, orders: number | undefined): number | undefined {
  if (orders !== undefined && name !== 'admin-dashboard') throw new UsageError('--orders is for admin-dashboard')
  return orders
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

import { createInterface } from 'node:readline/promises'
import { setAdminPassword } from '../commands/admin-password.ts'
import { hotStates } from '../commands/hot/hot-states.ts'
import { systemCaller } from '../commands/shop.ts'
import { ConfigError, parseConfig } from '../config.ts'
import { openEngines } from '../engines.ts'
import { systemClock, systemRandom } from '../system.ts'

const HELP = `npm run admin -- set-password   sets a new password for the owner; every session ends

The password is read from ADMIN_NEW_PASSWORD, or asked for. It needs at least 10 characters. The shop may be running.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage.`

const PASSWORD_MIN = 10

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const text = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${error instanceof ConfigError ? 'configuration: ' : ''}${text}\n`)
  process.exitCode = 1
}

async function run(words: readonly string[]): Promise<number> {
  if (words.includes('--help')) {
    process.stdout.write(`${HELP}\n`)
    return 0
  }
  if (words.length !== 1 || words[0] !== 'set-password') {
    process.stderr.write('usage: npm run admin -- set-password (see --help)\n')
    return 2
  }
  const password = process.env['ADMIN_NEW_PASSWORD'] ?? (await asked())
  if (password.length < PASSWORD_MIN) {
    process.stderr.write(`a password needs at least ${PASSWORD_MIN} characters\n`)
    return 1
  }
  const engines = await openEngines(parseConfig(process.env))
  try {
    const hot = hotStates({ log: engines.log, clock: systemClock, random: systemRandom })
    await hot.admin.refresh()
    const shop = { log: engines.log, vault: engines.vault, hot, clock: systemClock, random: systemRandom }
    await setAdminPassword(shop, { ...systemCaller(systemRandom), actor: 'staff' }, password)
  } finally {
    await engines.close()
  }
  process.stdout.write('The new password is in force; every session has ended.\n')
  return 0
}

async function asked(): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await terminal.question('New password: ')
  } finally {
    terminal.close()
  }
}

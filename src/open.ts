import { pino } from 'pino'
import { withoutKeys } from './api/http/request-log.ts'
import { ConfigError, misspeltNames, parseConfig } from './config.ts'
import { runShop } from './run-shop.ts'

/** Opens the shop that the environment configures, until a signal ends it. Ends the process with one line where it cannot. */
export async function open(): Promise<void> {
  try {
    const config = parseConfig(process.env)
    // Where SQLite sorts what is large: there is room for it beside the data, and `/tmp` may be memory. It reads this once, when a file is first opened.
    process.env['SQLITE_TMPDIR'] ??= config.DATA_DIR
    for (const { name, meant } of misspeltNames(process.env))
      process.stderr.write(`configuration: ${name} is no name of the shop's and is left alone; is ${meant} meant?\n`)
    const logger = pino({ level: config.LOG_LEVEL, base: null }, pino.destination({ dest: 2, sync: false }))
    const running = await runShop(config, { logger, progress: (text) => logger.debug(text) })
    let isStopping = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.on(signal, () => {
        if (isStopping) return
        isStopping = true
        void running.stop().then(
          () => process.exit(0),
          (error: unknown) => fail(`it did not stop in order: ${lineOf(error)}`),
        )
      })
    const { admin, url } = running
    const address = url?.replace('127.0.0.1', 'localhost')
    if (config.ROLES.includes('api')) say(`${config.SHOP_NAME} is open: ${address}`)
    else
      say(
        `${config.SHOP_NAME} runs as ${config.ROLES.join(' and ')}${address === undefined ? '' : `; how it is: ${address}/readyz`}`,
      )
    if (config.PAYMENTS === 'sandbox')
      say('Payments are played by a sandbox: no money moves. PAYMENTS=live takes real money.')
    if (admin.madePassword !== undefined) {
      say(`The owner's account, shown this once:  ${admin.email}  ${admin.madePassword}`)
      say('Another password at any time: npm run admin -- set-password')
    }
  } catch (error) {
    fail(`${error instanceof ConfigError ? 'configuration: ' : 'the shop could not start: '}${lineOf(error)}`)
  }
}

function lineOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return withoutKeys(text.replaceAll(/\s+/g, ' '))
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(text: string): void {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

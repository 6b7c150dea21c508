import { pino } from 'pino'
import { ConfigError, parseConfig } from './config.ts'

const NODE_MAJOR_MIN = 26

const HELP = `npm start runs the shop: http://localhost:3000, sandbox payments, data in ./data.

All configuration is read from the environment; README.md lists it. SIGTERM and SIGINT end it in order.
Exit codes: 0 stopped as asked, 1 could not start, 2 wrong usage.`

if (process.argv.includes('--help')) say(HELP)
else if (process.argv.length > 2) fail(`unknown argument ${process.argv[2]} (the shop takes none; see --help)`, 2)
else if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR_MIN)
  fail(
    `the shop needs Node ${NODE_MAJOR_MIN} and this is ${process.version}: run "npm ci" (it brings one), then "npm start"`,
  )
else await main()

async function main(): Promise<void> {
  try {
    const config = parseConfig(process.env)
    const logger = pino({ level: config.LOG_LEVEL, base: null }, pino.destination({ dest: 2, sync: false }))
    const { runShop } = await import('./run-shop.ts')
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
  return text.replaceAll(/\s+/g, ' ')
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(text: string, code = 1): void {
  process.stderr.write(`${text}\n`)
  process.exit(code)
}

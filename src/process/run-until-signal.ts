import { resolve } from 'node:path'
import { type DestinationStream, pino } from 'pino'
import { ConfigError, foreignNames, parseConfig } from '../config.ts'
import { kindOfPayments } from './payment-providers.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { isOpeningPriceOnSale, openingPriceText, shopName } from '../shop/shop-facts.ts'
import { logLine } from '../ports/one-line.ts'
import { type RunningShop, runShop } from './run-shop.ts'
import { slowStart } from './slow-start.ts'

/** The terminal and npm both deliver the same Ctrl-C. */
const DUPLICATE_SIGNAL_MS = 2_000
/** Characters of buffered log; further lines are dropped. */
const UNWRITTEN_MAX = 1_000_000

/** Runs the shop that the environment configures, until a signal ends it. On failure, ends the process with one line. */
export async function runUntilSignal(onSignal: (end: (signal: string) => void) => void): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore)
  try {
    const config = parseConfig(process.env)
    // SQLite's temporary files go to DATA_DIR: `/tmp` may be a small tmpfs. SQLite reads this once, on the first open.
    process.env['SQLITE_TMPDIR'] ??= config.DATA_DIR
    for (const { name, meant } of foreignNames(process.env))
      process.stderr.write(`configuration: ${name} is no name of the shop's and is left alone; is ${meant} meant?\n`)
    const logger = pino({ level: config.LOG_LEVEL, base: null }, logOutput())
    const start = slowStart((at) => logger.info({ at }, 'the start takes long'))
    const starting = runShop(config, { logger, progress: start.progress }).finally(start.end)
    onSignal(endOf(starting))
    const running = await starting
    const { admin, build, url } = running
    const address = url?.replace('127.0.0.1', 'localhost')
    const name = `${shopName(running.context)} (${build.version}, commit ${build.commit})`
    const where = `its folder is ${resolve(config.DATA_DIR)}${openingPrice(running.context)}`
    if (config.ROLES.includes('api')) say(`${name} is open: ${address}; ${where}`)
    else {
      const state = address === undefined ? '' : `; how it is: ${address}/readyz`
      say(`${name} runs as ${config.ROLES.join(' and ')}${state}; ${where}`)
    }
    if (config.PAYMENTS === 'sandbox')
      say('Payments are played by a sandbox: no money moves. PAYMENTS=live takes real money.')
    if (kindOfPayments(config) === 'test')
      say('Payments are a test: a provider is asked at another address than its own, so no real money moves there.')
    if (admin.madePassword !== undefined) {
      say(`The owner's account, shown this once:  ${admin.email}  ${admin.madePassword}`)
      say('Another password at any time: npm run shop -- admin set-password')
    } else if (admin.isUntouched && config.ADMIN_PASSWORD === undefined)
      say(
        `Nobody has logged in as ${admin.email} yet. A password that was lost is set anew by: npm run shop -- admin set-password`,
      )
  } catch (error) {
    fail(`${error instanceof ConfigError ? 'configuration: ' : 'the shop could not start: '}${logLine(error)}`)
  }
}

function openingPrice({ config, hot }: CommandContext): string {
  const settings = hot.currentSettings()
  if (!isOpeningPriceOnSale(config, settings)) return ''
  return `; ${openingPriceText(settings, hot.inventory.state.freeM)}: change or confirm it in the settings`
}

/** Failed output, on a full disk or a closed pipe, must end neither the shop nor its stop. */
function ignore(): void {}

function logOutput(): DestinationStream {
  const output = pino.destination({ dest: 2, sync: false, maxLength: UNWRITTEN_MAX })
  let isBroken = false
  output.on('error', () => (isBroken = true))
  output.on('write', () => (isBroken = false))
  // The library calls this at exit, again and again until all is written.
  const flush = output.flushSync.bind(output)
  output.flushSync = () => {
    if (!isBroken) flush()
  }
  return output
}

/** SIGTERM or SIGINT stops the shop in order; at once during the start, or when sent again. A crash loses nothing either. */
function endOf(starting: Promise<RunningShop>): (signal: string) => void {
  let running: RunningShop | undefined
  let askedAt: number | undefined
  void starting.then(
    (shop) => (running = shop),
    () => undefined,
  )
  return (signal) => {
    if (askedAt !== undefined) {
      if (performance.now() - askedAt > DUPLICATE_SIGNAL_MS) fail('stopped at once, since it was asked again')
      return
    }
    askedAt = performance.now()
    if (!running) {
      say(`${signal}: stopped before it was open.`)
      process.exit(0)
    }
    say(`${signal}: stopping. What is running may end, 10 s at most; the same again stops at once.`)
    void running.stop().then((left) => {
      const seconds = ((performance.now() - (askedAt ?? 0)) / 1_000).toFixed(1)
      if (left.length > 0) fail(`stopped after ${seconds} s, before these had ended: ${left.map(logLine).join(', ')}`)
      say(`Stopped after ${seconds} s.`)
      process.exit(0)
    })
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function fail(text: string): void {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

import lighthouse from 'lighthouse'
import { freePort } from '../../src/testing/free-port.ts'
import { orderBody } from '../../src/testing/orders.ts'
import { startShop } from '../../src/testing/start-shop.ts'
import { openBrowser } from '../e2e/browser.ts'
import { builtWeb } from '../e2e/built-web.ts'

const HELP = `npm run budget -- [--runs=3]   measures landing page, wizard and order status with Lighthouse (mobile)

Builds the screens, starts a whole shop, and prints the median of the runs for each page.
A machine index far below that of a quiet machine means that the figures say little.
CHROMIUM names the browser to use. Exit codes: 0 measured, 1 failed, 2 wrong usage.`

const RUNS = 3
const RUNS_MAX = 21
const MISSES_MAX = 3

const [given] = process.argv.slice(2)
const runs = given === undefined ? RUNS : Number(/^--runs=(\d+)$/.exec(given)?.[1])
if (given === '--help') process.stdout.write(`${HELP}\n`)
else if (!(runs >= 1 && runs <= RUNS_MAX) || process.argv.length > 3) {
  process.stderr.write(`usage: npm run budget -- [--runs=1..${RUNS_MAX}] (see --help)\n`)
  process.exitCode = 2
} else await measureAll()

async function measureAll(): Promise<void> {
  const port = await freePort()
  const opened = await openBrowser([`--remote-debugging-port=${port}`])
  if ('reason' in opened) {
    process.stderr.write(`no browser starts: ${opened.reason}\n`)
    process.exitCode = 1
    return
  }
  const web = await builtWeb()
  const shop = await startShop({ engines: 'sqlite', config: { webFolder: web.folder } })
  try {
    const placed = await shop.post('/api/orders', orderBody())
    const pages = { landing: '/', wizard: '/purchase', status: `/order/${String(placed.body['id'])}` }
    for (const [page, path] of Object.entries(pages)) {
      const results: Figures[] = []
      for (let tries = 0; results.length < runs && tries < runs + MISSES_MAX; tries += 1) {
        const result = await measure(`${shop.url}${path}`, port)
        if (result !== undefined) results.push(result)
      }
      if (results.length < runs) throw new Error(`Lighthouse could not measure ${page}; is the machine busy?`)
      show(page, results)
    }
  } finally {
    await opened.browser.close()
    await shop.stop()
    await web.remove()
  }
}

type Figures = Readonly<Record<string, number>>

/** Undefined where Lighthouse saw no paint in time, as on a busy machine. */
async function measure(url: string, port: number): Promise<Figures | undefined> {
  const result = await lighthouse(url, { port, output: 'json', logLevel: 'error' })
  if (result === undefined) throw new Error(`Lighthouse gave no result for ${url}`)
  const { audits, categories, environment } = result.lhr
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100)
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN
  if (Number.isNaN(value('largest-contentful-paint'))) return undefined
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best practices': score('best-practices'),
    seo: score('seo'),
    'FCP ms': Math.round(value('first-contentful-paint')),
    'LCP ms': Math.round(value('largest-contentful-paint')),
    'TBT ms': Math.round(value('total-blocking-time')),
    CLS: Math.round(value('cumulative-layout-shift') * 1000) / 1000,
    'sent kB': Math.round(value('total-byte-weight') / 1000),
    'machine index': Math.round(environment.benchmarkIndex),
  }
}

function show(page: string, results: readonly Figures[]): void {
  const line = Object.keys(results[0] ?? {}).map((name) => `${name} ${median(results.map((one) => one[name] ?? 0))}`)
  process.stdout.write(`${page.padEnd(8)} ${line.join('  ')}\n`)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

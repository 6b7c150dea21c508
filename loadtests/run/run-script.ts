import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { auditShop } from '../../src/testing/audit-shop.ts'
import { ADMIN_PASSWORD } from '../../src/testing/buyers.ts'
import { endAtExit, folderOfRun } from '../../bench/leftovers.ts'
import { processorNs } from '../../bench/measured-shop.ts'
import { type LoadedShop, startLoadedShop } from './loaded-shop.ts'
import { openPushConnections } from './push-connections.ts'
import { type Script, type ScriptName, scripts } from './scripts.ts'

const SCRIPTS = fileURLToPath(new URL('..', import.meta.url))
/** Payments may still be on their way. */
const REST_TRIES_MAX = 60
const REST_MS = 1_000
const SHOWN_MAX = 20
/** Memory in the last quarter of a load, relative to the second; the first fills caches. */
const GROWTH_MAX = 1.15

export interface LoadOptions {
  /** Path of the program. */
  readonly k6: string
  readonly seconds?: number | undefined
  /** How many visits, buyers or orders; by default the script's own number. */
  readonly size?: number | undefined
  readonly pushConnections?: number | undefined
  /** In pay-by-webhook: payments that are open before. */
  readonly open?: number | undefined
  /** Addresses by variable; none for one process on its own files. */
  readonly servers?: Readonly<Record<string, string>>
  /** Whether times are checked, too. */
  readonly isTimed: boolean
  /** Prints tables and lines as they come. */
  readonly say: (text: string) => void
}

/** Loads a new shop and audits it. Returns a sentence for each broken promise. */
export async function runScript(name: ScriptName, options: LoadOptions): Promise<string[]> {
  const script: Script = scripts[name]
  const { say, servers = {}, pushConnections: count = script.pushConnections, seconds = script.seconds } = options
  const shop = await startLoadedShop(script, servers)
  try {
    const push = count === undefined ? undefined : await openPushConnections(shop.url, count)
    const memory = memoryOf(shop)
    const before = shop.processes.map(({ pid }) => processorNs(pid))
    const { acknowledged, problems } = await loadBy(name, script, shop, options)
    for (const [at, { role, pid }] of shop.processes.entries()) {
      const ms = (processorNs(pid) - (before[at] ?? 0)) / 1e6 / acknowledged.length
      say(`${role}: ${ms.toFixed(2)} ms of processor time for each order, and all else in this load`)
    }
    const grown = memory.end()
    say(`memory of the shop: ${grown.says}`)
    if (options.isTimed && seconds >= (script.flatMemorySeconds ?? Infinity) && grown.by > GROWTH_MAX)
      problems.push(`the memory is not flat: ${grown.says}`)
    if (shop.double) say(`the provider took ${shop.double.calls.length} calls`)
    const heard = await push?.hearLastChange()
    if (heard) say(`${count} push connections: notified of the last change after ${Math.round(heard.ms)} ms`)
    push?.close()
    problems.push(...(heard?.problems ?? []), ...(await problemsAtRest(shop.env, acknowledged)))
    await shop.stop()
    say(`${acknowledged.length} orders acknowledged`)
    return problems
  } finally {
    await shop.remove()
  }
}

/** Waits until a running shop is consistent: each acknowledged order is in the log, the books balance, the views are right. */
async function problemsAtRest(env: LoadedShop['env'], acknowledged: readonly string[]): Promise<readonly string[]> {
  for (let tries = 1; ; tries += 1) {
    const { problems } = await auditShop(env, { acknowledged })
    if (problems.length === 0 || tries === REST_TRIES_MAX) return problems.slice(0, SHOWN_MAX)
    await pause(REST_MS)
  }
}

function memoryOf(shop: LoadedShop): { end(): { says: string; by: number } } {
  const samples = [shop.megabytes()]
  const timer = setInterval(() => samples.push(shop.megabytes()), 1_000)
  return {
    end() {
      clearInterval(timer)
      const quarter = Math.ceil(samples.length / 4)
      const [second, last] = [mean(samples.slice(quarter, 2 * quarter)), mean(samples.slice(-quarter))]
      const says = `${second.toFixed(0)} MB in the second quarter, ${last.toFixed(0)} in the last`
      return { says, by: last / second }
    },
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

async function loadBy(
  name: ScriptName,
  { seconds, judge }: Script,
  { url, double }: LoadedShop,
  { k6, say, size, open, isTimed, ...options }: LoadOptions,
): Promise<{ acknowledged: string[]; problems: string[] }> {
  const folder = folderOfRun()
  const [summary, lines] = [join(folder, 'summary.json'), join(folder, 'lines')]
  const output = ['--console-output', lines, '--log-output', `file=${lines}.log`, '--log-format', 'json']
  const words = ['run', '--quiet', '--no-usage-report', '--address', '', '--summary-export', summary, ...output]
  const child = spawn(k6, [...words, join(SCRIPTS, `${name}.ts`)], {
    env: {
      PATH: process.env['PATH'] ?? '',
      SHOP_URL: url,
      ADMIN_PASSWORD,
      SECONDS: String(options.seconds ?? seconds),
      ...(size !== undefined && { SIZE: String(size) }),
      ...(open !== undefined && { OPEN: String(open) }),
      ...(isTimed && { TIMES: 'on' }),
      ...(double && { DOUBLE_URL: double.origin }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const forget = endAtExit(() => void child.kill('SIGKILL'))
  child.stdout.setEncoding('utf8').on('data', (text: string) => say(text.trimEnd()))
  const [code] = (await once(child, 'exit')) as [number | null]
  forget()
  const said = linesIn(lines)
  const acknowledged = said.flatMap(({ msg }) => /^acknowledged (\S+)$/.exec(msg)?.[1] ?? [])
  // An exception in a script ends one iteration, and k6 continues. A crossed threshold is logged, too.
  const errors = new Set(said.filter(({ level }) => level === 'error').map(({ msg }) => `k6: ${msg.trim()}`))
  const problems = [
    ...errors,
    ...(code === 0 || errors.size > 0 ? [] : [`k6 ended with exit code ${code}`]),
    ...(acknowledged.length === 0 ? ['nothing was bought'] : []),
    ...(isTimed && judge && existsSync(summary) ? judge(p95sIn(summary)) : []),
  ]
  return { acknowledged, problems }
}

function p95sIn(summary: string): (trend: string) => number {
  const { metrics } = JSON.parse(readFileSync(summary, 'utf8')) as { metrics: Record<string, Record<string, number>> }
  return (trend) => metrics[trend]?.['p(95)'] ?? Number.NaN
}

/** Output of the script, and of k6 itself. */
function linesIn(file: string): { level: string; msg: string }[] {
  return [file, `${file}.log`]
    .filter((name) => existsSync(name))
    .flatMap((name) => readFileSync(name, 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as { level: string; msg: string })
}

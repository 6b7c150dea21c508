import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newFolder, removeFolder } from '../../bench/folders.ts'
import { endWithBench } from '../../bench/leftovers.ts'
import { ADMIN_PASSWORD } from '../../src/testing/buyers.ts'
import { auditAtRest, verifyBooks } from './audit.ts'
import { figuresIn } from './figures.ts'
import { type LoadedShop, startLoadedShop } from './loaded-shop.ts'
import { memoryWatch } from './memory-watch.ts'
import { openPushConnections, type PushConnections } from './push-connections.ts'
import { type Script, type ScriptName, scripts } from './scripts.ts'

const SCRIPTS = fileURLToPath(new URL('..', import.meta.url))

export interface LoadOptions {
  /** The program. */
  readonly k6: string
  readonly seconds?: number | undefined
  /** How many visits, buyers or orders; each script has its own. */
  readonly size?: number | undefined
  readonly pushConnections?: number | undefined
  /** Addresses by their names; none for one process on its own files. */
  readonly servers?: Readonly<Record<string, string>>
  /** Whether times are judged, too. */
  readonly isTimed: boolean
  /** Prints tables and lines as they come. */
  readonly say: (text: string) => void
}

/** Loads a new shop and audits it. One sentence for each promise that was not kept. */
export async function runScript(name: ScriptName, options: LoadOptions): Promise<string[]> {
  const script: Script = scripts[name]
  const { say, servers = {}, pushConnections = script.pushConnections, seconds = script.seconds } = options
  const shop = await startLoadedShop(script, servers)
  let push: PushConnections | undefined
  try {
    if (pushConnections !== undefined) push = await openPushConnections(shop.url, pushConnections)
    const memory = memoryWatch(shop)
    const loaded = await loadBy(name, script, shop, options)
    const grown = memory.end()
    say(`memory of the shop: ${grown.said}`)
    if (shop.doubleUrl !== undefined) say(`the provider took ${shop.callsToProvider()}`)
    const problems = [
      ...loaded.problems,
      ...(options.isTimed && seconds >= (script.flatMemorySeconds ?? Infinity) ? grown.problems : []),
    ]
    if (push) {
      const heard = await push.hearLastChange()
      say(`${pushConnections} push connections: all have heard of the last change after ${Math.round(heard.ms)} ms`)
      problems.push(...heard.problems)
      push.close()
    }
    problems.push(...(await auditAtRest(shop.url, shop.env, loaded.acknowledged)))
    problems.push(...(await shop.stop()))
    const verified = await verifyBooks(shop.env)
    say(`${loaded.acknowledged.length} orders acknowledged\n${verified.said.trimEnd()}`)
    return [...problems, ...verified.problems]
  } finally {
    push?.close()
    await shop.remove()
  }
}

async function loadBy(
  name: ScriptName,
  { seconds, judge }: Script,
  shop: LoadedShop,
  options: LoadOptions,
): Promise<{ acknowledged: string[]; problems: string[] }> {
  const folder = await newFolder()
  const [summary, lines] = [join(folder, 'summary.json'), join(folder, 'lines')]
  try {
    const code = await k6Run(options, {
      file: join(SCRIPTS, `${name}.ts`),
      lines,
      env: {
        SHOP_URL: shop.url,
        ADMIN_PASSWORD,
        SUMMARY: summary,
        SECONDS: String(options.seconds ?? seconds),
        ...(options.size !== undefined && { SIZE: String(options.size) }),
        ...(options.isTimed && { TIMES: 'on' }),
        ...(shop.doubleUrl !== undefined && { DOUBLE_URL: shop.doubleUrl }),
      },
    })
    const said = linesIn(lines)
    const acknowledged = said.flatMap(({ msg }) => /^acknowledged (\S+)$/.exec(msg)?.[1] ?? [])
    // An exception in a script ends one round of it, and k6 goes on.
    const errors = [...new Set(said.filter(isError).map(({ msg }) => `k6: ${msg.trim()}`))]
    if (!existsSync(summary)) return { acknowledged, problems: [`k6 ended with exit code ${code}`, ...errors] }
    const figures = figuresIn(summary)
    const judged = options.isTimed && judge ? judge(figures) : []
    const idle = figures.checks === 0 || acknowledged.length === 0 ? ['nothing was bought'] : []
    return { acknowledged, problems: [...figures.broken, ...judged, ...idle, ...errors] }
  } finally {
    await removeFolder(folder)
  }
}

async function k6Run(
  { k6, say }: LoadOptions,
  { file, lines, env }: { file: string; lines: string; env: Readonly<Record<string, string>> },
): Promise<number | null> {
  const output = ['--console-output', lines, '--log-output', `file=${lines}.log`, '--log-format', 'json']
  const words = ['run', '--quiet', '--no-usage-report', '--address', '', ...output, file]
  const child = spawn(k6, words, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const forget = endWithBench(() => void child.kill('SIGKILL'))
  child.stdout.setEncoding('utf8').on('data', (text: string) => say(text.trimEnd()))
  const [code] = (await once(child, 'exit')) as [number | null]
  forget()
  return code
}

interface Line {
  readonly level: string
  readonly msg: string
}

/** Thresholds that were crossed are named by the figures. */
function isError({ level, msg }: Line): boolean {
  return level === 'error' && !msg.startsWith('thresholds on metrics')
}

/** Of the script, and of k6 itself. */
function linesIn(file: string): Line[] {
  return [file, `${file}.log`]
    .filter((name) => existsSync(name))
    .flatMap((name) => readFileSync(name, 'utf8').split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as Line)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../../', import.meta.url)
const START_TIMEOUT_MS = 60_000

/** The metrics token of every shop in tests. */
export const METRICS_TOKEN = 'a-token-of-thirty-two-characters'

/** Starts a shop in its own process, like `npm start`, on a free port. */
export async function startShopProcess(
  env: Record<string, string>,
  {
    startTimeoutMs = START_TIMEOUT_MS,
    root = ROOT,
    node = process.execPath,
  }: { startTimeoutMs?: number; root?: URL; node?: string } = {},
) {
  const child = spawn(node, startArguments(root), {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      RATE_LIMIT: 'off',
      DELIVERY: 'instant',
      METRICS_TOKEN,
      LOG_LEVEL: 'warn',
      // Longer than tests pause a process, shorter than they wait.
      RESERVATION_TTL_MINUTES: '0.25',
      ...env,
    },
  })
  const output: string[] = []
  const gone = once(child, 'exit') as Promise<[number | null]>
  createInterface({ input: child.stderr }).on('line', (line) => output.push(line))
  /** Sends SIGKILL to the whole process group; resolves when it has ended. */
  async function kill(): Promise<void> {
    const isGone = child.exitCode !== null || child.signalCode !== null
    if (child.pid !== undefined && !isGone) process.kill(-child.pid, 'SIGKILL')
    await gone
  }
  const url = await addressOf(child, output, startTimeoutMs).catch(async (error: unknown) => {
    await kill()
    throw error
  })
  const { pid } = child
  if (pid === undefined) throw new TypeError('a process that has started has an id')
  return {
    /** Empty without the role `api`. */
    url,
    pid,
    output: output as readonly string[],
    kill,
    /** Stops it as an operator does; resolves with the exit code. */
    async stop() {
      child.kill('SIGTERM')
      const [code] = await gone
      return code
    },
    /** Freezes the process until it is resumed. */
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  }
}

export type ShopProcess = Awaited<ReturnType<typeof startShopProcess>>

/** Kills all processes, even those that are still starting. */
export async function killStarted(started: Promise<ShopProcess>[]): Promise<void> {
  await Promise.allSettled(started.splice(0).map(async (starting) => (await starting).kill()))
}

/** The arguments of `npm start` for Node, ending with the shop, which builds no screens. */
export function startArguments(root = ROOT): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: { start: string } }
  const words = scripts.start.split(' ')
  const program = words.at(-1)?.replace(/start\.js$/, 'main.js') ?? ''
  return [...words.filter((word) => word.startsWith('-')), fileURLToPath(new URL(program, root))]
}

async function addressOf(child: ChildProcess, output: string[], timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void =>
      reject(new Error(`the shop did not start (process ${child.pid}, ${why}):\n${output.join('\n')}`))
    const timer = setTimeout(() => fail('it took too long'), timeoutMs)
    child.once('exit', (code) => fail(`exit code ${code}`))
    if (!child.stdout) throw new TypeError('a shop process has an output')
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line)
      const address = line.includes(' runs as ') ? '' : /http:\/\/[\w.:[\]]+/.exec(line)?.[0]
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    })
  })
}

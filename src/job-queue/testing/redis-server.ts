import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endChild } from '../../testing/end-child.ts'
import { freePort } from '../../testing/free-port.ts'

const BINARY = 'redis-server'
const START_TIMEOUT_MS = 20_000

/** A test's own Redis server. Stopping it for good removes its data. */
export interface RedisServer {
  readonly url: string
  /** Kills the process; its data stay. */
  kill(): Promise<void>
  /** SIGTERM. */
  stop(): Promise<void>
  /** On the same port, with its data. */
  start(): Promise<void>
  /** It hangs: its connections stay open and nothing is answered. */
  pause(): void
  resume(): void
  end(): Promise<void>
}

/** Why no Redis can be started here; undefined where one can. */
export const redisMissing: string | undefined =
  spawnSync(BINARY, ['--version']).status === 0 ? undefined : `there is no ${BINARY} on this machine`

export async function startRedis(settings: readonly string[] = []): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'coinshop-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--save', '']
    child = spawn(BINARY, [...options, '--appendfsync', 'always', ...settings], { stdio: ['ignore', 'pipe', 'ignore'] })
    await isOpen(child)
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => endChild(child, 'SIGKILL'),
    stop: () => endChild(child, 'SIGTERM'),
    start,
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async end() {
      await endChild(child, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function isOpen(child: ChildProcess): Promise<void> {
  const output: string[] = []
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${BINARY} did not start (${why}): ${output.join(' ')}`))
    const timer = setTimeout(() => fail('it took too long'), START_TIMEOUT_MS)
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code) => fail(`exit code ${code}`))
    if (!child.stdout) throw new TypeError('a child process has an output')
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line)
      if (!line.includes('Ready to accept connections')) return
      clearTimeout(timer)
      resolve()
    })
  })
}

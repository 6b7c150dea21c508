import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endChild } from '../../testing/end-child.ts'
import { freePort } from '../../testing/free-port.ts'

const PROGRAM = join(import.meta.dirname, 'eventstoredb-double', 'process.ts')

/** A test's own double of EventStoreDB in a process of its own. */
export interface EventStoreDBServer {
  readonly url: string
  /** On the same port, with its events. */
  start(): Promise<void>
  /** SIGTERM. */
  stop(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** It takes connections and answers nothing. */
  pause(): void
  resume(): void
  remove(): Promise<void>
}

export async function eventstoredbServer(): Promise<EventStoreDBServer> {
  const folder = await mkdtemp(join(tmpdir(), 'coinshop-eventstoredb-'))
  const port = await freePort()
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const stdio = ['ignore', 'pipe', 'inherit'] as const
    child = spawn(process.execPath, [PROGRAM, join(folder, 'log'), String(port)], { stdio: [...stdio] })
    const { stdout } = child
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the double of EventStoreDB did not start')))
    if (stdout) await Promise.race([once(stdout, 'data'), ended])
    ended.catch(() => undefined)
  }

  await start()
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    start,
    stop: () => endChild(child, 'SIGTERM'),
    kill: () => endChild(child, 'SIGKILL'),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async remove() {
      await endChild(child, 'SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endChild } from '../../testing/end-child.ts'
import { freePort } from '../../testing/free-port.ts'
import type { Missing } from '../../testing/missing.ts'
import { ownPlace } from './own-place.ts'

const PROGRAM = join(import.meta.dirname, 'eventstoredb-double', 'process.ts')

const CONTROL_TIMEOUT_MS = 60_000
/** The server that tests use in place of doubles, and the program that ends and pauses it. */
const { EVENTSTOREDB_URL: named = '', EVENTSTOREDB_CONTROL: control = '' } = process.env

/** What tests use where the environment names no server. */
export const eventstoredbName = named === '' ? 'EventStoreDB, a double of it' : 'EventStoreDB'

/** Why tests may not end and pause the server; undefined where they may. */
export const controlMissing: Missing =
  named !== '' && control === '' ? 'EVENTSTOREDB_CONTROL names no program that ends and pauses it' : undefined

/** A server of EventStoreDB; the calls that end and pause it need `controlMissing` to be undefined. */
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

/** A log of a test's own: on the server that the environment names, or on a double. */
export async function someEventstoredb(): Promise<EventStoreDBServer> {
  return named === '' ? eventstoredbServer() : namedServer()
}

function namedServer(): EventStoreDBServer {
  let undo: 'start' | 'resume' | undefined
  const tell = (word: string, undoing?: typeof undo): void => {
    execFileSync(control, [word], { stdio: 'ignore', timeout: CONTROL_TIMEOUT_MS })
    undo = undoing
  }
  return {
    url: ownPlace(named),
    start: async () => tell('start'),
    stop: async () => tell('stop', 'start'),
    kill: async () => tell('kill', 'start'),
    pause: () => tell('pause', 'resume'),
    resume: () => tell('resume'),
    remove: async () => undo && tell(undo),
  }
}

/** A double of a test's own, in a process of its own. */
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

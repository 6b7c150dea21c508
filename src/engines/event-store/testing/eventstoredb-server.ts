import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Missing } from '../../../ports/testing/missing.ts'
import { type OwnServer, ownServer } from '../../../ports/testing/own-server.ts'
import { type DoubleOptions, eventstoredbDouble, type EventStoreDBDouble } from './eventstoredb-double.ts'

const PROGRAM = join(import.meta.dirname, 'eventstoredb-double', 'process.ts')

const CONTROL_TIMEOUT_MS = 60_000
/** The server that tests use in place of doubles, and the program that ends and pauses it. */
const { EVENTSTOREDB_URL: named = '', EVENTSTOREDB_CONTROL: control = '' } = process.env

/** What tests use where the environment names no server. */
export const eventstoredbName = named === '' ? 'EventStoreDB, a double of it' : 'EventStoreDB'

/** Why tests may not end and pause the server; undefined where they may. */
export const controlMissing: Missing =
  named !== '' && control === '' ? 'EVENTSTOREDB_CONTROL names no program that ends and pauses it' : undefined

/** A log of a test's own: on the server that the environment names, which tests may end and pause unless `controlMissing`, or on a double. */
export async function someEventstoredb(): Promise<OwnServer> {
  return named === '' ? eventstoredbServer() : namedServer()
}

function namedServer(): OwnServer {
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

/** A double in this process, which ends with its test. */
export async function doubleOfTest(options?: DoubleOptions): Promise<EventStoreDBDouble> {
  const double = await eventstoredbDouble(options)
  onTestFinished(() => double.stop())
  return double
}

/** A double of a test's own, in a process of its own. */
export async function eventstoredbServer(): Promise<OwnServer> {
  return ownServer({
    name: 'eventstoredb-double',
    command: (folder, port) => [process.execPath, PROGRAM, join(folder, 'log'), port],
    urlAt: (port) => `esdb://127.0.0.1:${port}?tls=false`,
    showsErrors: true,
  })
}

/** The address of a log of its own, on a server that others use, too. */
export function ownPlace(url: string): string {
  const [place = '', settings] = url.split('?')
  const [server = ''] = /^[^/]+\/\/[^/]+/.exec(place) ?? []
  const named = `${server}/test_${randomUUID().replaceAll('-', '')}`
  return settings === undefined ? named : `${named}?${settings}`
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endChild } from '../../testing/end-child.ts'
import { freePort } from '../../testing/free-port.ts'

const folder = fileURLToPath(new URL('../../../.ci/mongodb/', import.meta.url))

/** Why no server can be started here; undefined where one can. */
export const serverMissing = existsSync(join(folder, 'target/jars'))
  ? undefined
  : 'the document server was not brought here: mvn -f .ci/mongodb/pom.xml package'

/** A test's own server of MongoDB's protocol, which can be stopped and restarted with its data. */
export interface DocumentServer {
  readonly url: string
  start(): Promise<void>
  /** SIGTERM: all data is on disk. */
  stop(): Promise<void>
  /** SIGKILL: only journaled writes are on disk, and others older than about a second. */
  kill(): Promise<void>
  /** It takes connections and answers nothing. */
  pause(): void
  resume(): void
  remove(): Promise<void>
}

export async function documentServer(): Promise<DocumentServer> {
  const data = await mkdtemp(join(tmpdir(), 'documents-'))
  const port = await freePort()
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    child = spawn(join(folder, 'start'), [join(data, 'documents'), String(port)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const { stdout } = child
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('The document server did not start')))
    if (stdout) await Promise.race([once(stdout, 'data'), ended])
    ended.catch(() => undefined)
  }

  await start()
  return {
    url: `mongodb://127.0.0.1:${port}`,
    start,
    stop: () => endChild(child, 'SIGTERM'),
    kill: () => endChild(child, 'SIGKILL'),
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async remove() {
      await endChild(child, 'SIGKILL')
      await rm(data, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

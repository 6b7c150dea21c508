import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endChild } from './end-child.ts'
import { freePort } from './free-port.ts'

/** Far above what a start takes on a busy machine. */
const START_TIMEOUT_MS = 120_000

interface Program {
  readonly name: string
  /** Starts a server that keeps its data in the folder. */
  readonly command: (folder: string, port: string) => readonly [program: string, ...args: string[]]
  readonly urlAt: (port: string) => string
  /** Part of the line on stdout that says that it is ready; any line without it. */
  readonly ready?: string
  readonly showsErrors?: true
}

/** A server of an engine, in a process of its own, which keeps its data until it is removed. */
export async function ownServer({ name, command, urlAt, ready = '', showsErrors }: Program) {
  const folder = await mkdtemp(join(tmpdir(), `coinshop-${name}-`))
  const port = String(await freePort())
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const [program, ...args] = command(folder, port)
    const started = spawn(program, args, { stdio: ['ignore', 'pipe', showsErrors ? 'inherit' : 'ignore'] })
    child = started
    const output: string[] = []
    const isReady = new Promise<void>((resolve) => {
      createInterface({ input: started.stdout }).on('line', (line) => {
        if (line.includes(ready)) resolve()
        else output.push(line)
      })
    })
    const ended = once(started, 'exit', { signal: AbortSignal.timeout(START_TIMEOUT_MS) }).then(() => {
      throw new Error(`it ended with exit code ${started.exitCode}: ${output.join(' ')}`)
    })
    await Promise.race([isReady, ended]).catch((cause: unknown) => {
      throw new Error(`${name} did not start`, { cause })
    })
    ended.catch(() => undefined)
  }

  await start()
  return {
    url: urlAt(port),
    /** On the same port, with its data. */
    start,
    stop: () => endChild(child, 'SIGTERM'),
    kill: () => endChild(child, 'SIGKILL'),
    /** It takes connections and answers nothing. */
    pause(): void {
      child?.kill('SIGSTOP')
    },
    resume(): void {
      child?.kill('SIGCONT')
    },
    async remove(): Promise<void> {
      await endChild(child, 'SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

export type OwnServer = Awaited<ReturnType<typeof ownServer>>

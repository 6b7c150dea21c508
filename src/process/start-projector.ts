import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import { type Position, START } from '../engines/event-store/event-store.ts'
import { backOffMs } from '../ports/back-off.ts'
import { positionWaiters } from '../log/position-waiters.ts'
import type { Runner } from '../projector/runner.ts'

/** The thread's input. */
export interface ProjectorStart {
  readonly config: Config
  /** Names this process to other projectors. */
  readonly owner: string
}

/** A message to the thread. */
export type ToProjector = { readonly kind: 'appended'; readonly head: Position } | { readonly kind: 'stop' }

/** A message from the thread. */
export type FromProjector =
  | { readonly kind: 'moved'; readonly position: Position }
  | { readonly kind: 'trouble'; readonly text: string }
  | { readonly kind: 'recovered' }

/** The projector of this process, for the thread that serves requests. */
export interface ProjectorThread extends Pick<Runner, 'position' | 'waitFor' | 'stop'> {
  /** Wakes the thread, which does not poll the log. */
  notifyAppended(head: Position): void
  /** Why nothing is projected now. */
  trouble(): string | undefined
}

export interface ProjectorThreadOptions {
  readonly config: Config
  /** Called once for each kind of error until it recovers. */
  readonly onTrouble: (text: string) => void
  readonly onRecovered?: () => void
  /** The thread ended by itself and restarts after `againInMs`. */
  readonly onCrashed: (crash: { error: unknown; againInMs: number }) => void
  readonly entry?: URL
  /** How long the thread may take to end in order. */
  readonly stopMs?: number
}

const ENTRY = new URL('run-projector.ts', import.meta.url)
/** The thread holds a few pages of the log and their documents; needing more than this means a leak. */
const HEAP_MB_MAX = 512
/** The thread's share of the heap flags: docs/benchmarks.md, Tuning. */
const YOUNG_HEAP_MB_MAX = 32
const RESTART_MS = 100
const RESTART_MS_MAX = 30_000
/** Uptime after which the restart backoff resets. */
const BACKOFF_RESET_MS = 60_000
/** Delay of the message that wakes the thread after an append. */
const COLLECT_MS = 4
/** Shorter than the stop's phase. The next start folds an interrupted page again. */
const STOP_MS = 1_500

interface ProjectorRun {
  readonly worker: Worker
  readonly ended: Promise<void>
}

/** Runs the projector in a separate thread, and restarts it until it is stopped. */
export function startProjectorThread(options: ProjectorThreadOptions): ProjectorThread {
  const { config, onTrouble, onCrashed, entry = ENTRY, stopMs = STOP_MS } = options
  const owner = randomUUID()
  let position = START
  const waiters = positionWaiters(() => position)
  const stopping = new AbortController()
  let trouble: string | undefined = 'is starting'
  let run: ProjectorRun | undefined
  const running = runAndRestart()

  async function runAndRestart(): Promise<void> {
    for (let crashes = 0; !stopping.signal.aborted; crashes += 1) {
      const startedAt = performance.now()
      let error: unknown
      run = startThread({ entry, config, owner }, receive, (thrown) => (error = thrown))
      await run.ended
      run = undefined
      if (stopping.signal.aborted) return
      trouble = 'has crashed and is restarted'
      if (performance.now() - startedAt > BACKOFF_RESET_MS) crashes = 0
      const againInMs = backOffMs(crashes + 1, { from: RESTART_MS, max: RESTART_MS_MAX })
      onCrashed({ error, againInMs })
      await pause(againInMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  let newest = START
  let isCollecting = false
  /** Delayed: an order is two events, and a larger batch costs the projector less per event. */
  function notify(): void {
    if (isCollecting) return
    isCollecting = true
    setTimeout(() => {
      isCollecting = false
      send({ kind: 'appended', head: newest })
    }, COLLECT_MS).unref()
  }

  function send(message: ToProjector): void {
    run?.worker.postMessage(message)
  }

  function receive(message: FromProjector): void {
    switch (message.kind) {
      case 'moved':
        position = message.position
        trouble = undefined
        return waiters.wake()
      case 'trouble':
        return onTrouble(message.text)
      case 'recovered':
        return options.onRecovered?.()
    }
  }

  return {
    position: () => position,
    waitFor: (wanted, timeoutMs) => waiters.wait(wanted, timeoutMs),
    notifyAppended(head) {
      newest = head
      notify()
    },
    trouble: () => trouble,

    async stop() {
      stopping.abort()
      send({ kind: 'stop' })
      const isLate = await Promise.race([running.then(() => false), pause(stopMs, true, { ref: false })])
      if (isLate) await run?.worker.terminate()
      await running
    },
  }
}

function startThread(
  { entry, ...workerData }: { entry: URL } & ProjectorStart,
  onMessage: (message: FromProjector) => void,
  onError: (error: unknown) => void,
): ProjectorRun {
  // These command-line options would override the thread's own limits. Existing heaps keep their size.
  setFlagsFromString('--min-semi-space-size=0')
  setFlagsFromString('--max-semi-space-size=0')
  const worker = new Worker(entry, {
    name: 'projector',
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: YOUNG_HEAP_MB_MAX },
  })
  worker.on('message', onMessage)
  worker.on('error', onError)
  return { worker, ended: new Promise((resolve) => worker.once('exit', () => resolve())) }
}

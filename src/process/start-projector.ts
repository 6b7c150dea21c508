import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import { type Position, START } from '../engines/event-store/event-store.ts'
import { backOffMs } from '../ports/back-off.ts'
import { positionWaiters } from '../engines/event-store/position-waiters.ts'
import type { Runner } from '../projector/runner.ts'

/** What the thread is started with. */
export interface ProjectorStart {
  readonly config: Config
}

/** What it is sent. */
export type ToProjector = { readonly kind: 'appended'; readonly head: Position } | { readonly kind: 'stop' }

/** What it sends. */
export type FromProjector =
  | { readonly kind: 'moved'; readonly position: Position }
  | { readonly kind: 'trouble'; readonly text: string }
  | { readonly kind: 'recovered' }

/** The projector of this process, seen from the thread that answers requests. */
export interface ProjectorThread extends Pick<Runner, 'position' | 'waitFor' | 'stop'> {
  /** The thread does not look by itself whether the log has grown. */
  notifyAppended(head: Position): void
  /** Why nothing is projected now. */
  trouble(): string | undefined
}

export interface ProjectorThreadOptions {
  readonly config: Config
  /** Once for each outage of all that it needs. */
  readonly onTrouble: (text: string) => void
  readonly onRecovered?: () => void
  /** It ended by itself, and is started again after `againInMs`. */
  readonly onCrashed: (crash: { error: unknown; againInMs: number }) => void
  readonly entry?: URL
  /** How long it may take to end in order. */
  readonly stopMs?: number
}

const ENTRY = new URL('run-projector.ts', import.meta.url)
/** It holds a few pages of the log and their documents; needing more than this means a leak. */
const HEAP_MB_MAX = 512
/** Its share of the heap flags: docs/benchmarks.md, Tuning. */
const YOUNG_HEAP_MB_MAX = 32
const RESTART_MS = 100
const RESTART_MS_MAX = 30_000
/** Uptime after which the restart backoff resets. */
const BACKOFF_RESET_MS = 60_000
/** From an append to the message that wakes the projector's thread. */
const COLLECT_MS = 4
/** Within its phase of a stop. Ended in the middle of a page, it folds that again. */
const STOP_MS = 1_500

interface ProjectorRun {
  readonly worker: Worker
  readonly ended: Promise<void>
}

/** Runs the projector in a thread of its own, again and again until it is stopped. */
export function startProjectorThread(options: ProjectorThreadOptions): ProjectorThread {
  const { config, onTrouble, onCrashed, entry = ENTRY, stopMs = STOP_MS } = options
  let position = START
  const waiters = positionWaiters(() => position)
  const stopping = new AbortController()
  let trouble: string | undefined = 'is starting'
  let run: ProjectorRun | undefined
  const running = restarting()

  async function restarting(): Promise<void> {
    for (let crashes = 0; !stopping.signal.aborted; crashes += 1) {
      const startedAt = performance.now()
      let error: unknown
      run = startThread({ entry, config }, received, (thrown) => (error = thrown))
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
  /** Not at once: an order is two events, and a larger batch costs the projector less for each event. */
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

  function received(message: FromProjector): void {
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
  { entry, config }: { entry: URL; config: Config },
  onMessage: (message: FromProjector) => void,
  onError: (error: unknown) => void,
): ProjectorRun {
  const workerData: ProjectorStart = { config }
  // A thread takes these options of the command line over its own limits. Heaps that exist keep their size.
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

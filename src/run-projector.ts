import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as pause } from 'node:timers/promises'
import { vaultIdOf } from './commands/bind-vault.ts'
import { dropViewsOfOthers, openProjectorEngines } from './engines.ts'
import { START } from './event-store/event-store.ts'
import { waiters } from './event-store/waiters.ts'
import { gatheringReads } from './projector/gathering-reads.ts'
import { projectionRunner } from './projector/runner.ts'
import { shopProjections } from './projections/shop-projections.ts'
import type { FromProjector, ProjectorStart, ToProjector } from './start-projector.ts'
import { systemClock } from './system.ts'

/* The projector's thread: what `startProjectorThread` starts. It has connections of its own, and ends the whole thread where it cannot go on. */

if (!parentPort) throw new Error('the projector is started by the shop, as a thread of it')
const port = parentPort
const { config } = workerData as ProjectorStart
const tell = (message: FromProjector): void => port.postMessage(message)

const RETRY_MS = 1_000

const stopping = new AbortController()
/** By view: what kind of error keeps it from being kept up. */
const troubles = new Map<string, string>()
const appended = waiters()
let newest = START
const engines = await openProjectorEngines(config)
const projections = shopProjections({ timeZone: config.SHOP_TIME_ZONE })
const names = new Set(projections.map(({ name }) => name))
const runner = projectionRunner({
  log: {
    ...engines.log,
    readAll: gatheringReads(engines.log, { now: () => performance.now(), sleep: systemClock.sleep }),
    // Notified by the thread that follows the log, so that this one need not poll.
    async waitForEvents(wait) {
      const isTold = newest > wait.after
      newest = START
      if (!isTold) await appended.wait(wait)
    },
  },
  store: engines.views,
  logId: vaultIdOf(engines.keys),
  projections,
  clock: systemClock,
  onMoved: () => tell({ kind: 'moved', positions: new Map([...names].map((name) => [name, runner.position([name])])) }),
  onTrouble: ({ view, collection, error }) => troubled(view, { collection, error }),
  onRecovered: ({ view }) => recovered(view),
})

port.on('message', (message: ToProjector) => {
  switch (message.kind) {
    case 'appended':
      newest = message.head
      return appended.wake(newest)
    case 'status':
      return void runner.status().then((statuses) => tell({ kind: 'status', statuses }))
    case 'stop':
      return void stop()
  }
})
await begin()
await runner.start()

/** Views of another log are never continued, even after a long outage of the view database. */
async function begin(): Promise<void> {
  while (!stopping.signal.aborted)
    try {
      await dropViewsOfOthers(engines)
      return recovered('all')
    } catch (error) {
      if (stopping.signal.aborted) return
      troubled('all', { collection: 'all', error })
      await pause(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
}

/** An engine that is away stops every view, and is said once. */
function troubled(view: string, { collection, error }: { collection: string; error: unknown }): void {
  const kind = error instanceof Error ? error.name : String(error)
  const isSaid = [...troubles.values()].includes(kind)
  troubles.set(view, kind)
  if (!isSaid) tell({ kind: 'trouble', collection, text: String(error) })
}

function recovered(view: string): void {
  if (troubles.delete(view) && troubles.size === 0) tell({ kind: 'recovered' })
}

async function stop(): Promise<void> {
  stopping.abort()
  await runner.stop()
  await engines.close()
  process.exit()
}

import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as pause } from 'node:timers/promises'
import { dropViewsOfOthers, openProjectorEngines } from './engines.ts'
import { START } from './event-store/event-store.ts'
import { waiters } from './event-store/waiters.ts'
import { TryAgain } from './ports/try-again.ts'
import { dropBuild } from './projector/builds.ts'
import { batchingReads } from './projector/batching-reads.ts'
import { projectionRunner } from './projector/runner.ts'
import { viewReader } from './projector/view-reader.ts'
import { customersProjection, unreadCustomers } from './projections/customers.ts'
import { shopProjections } from './projections/shop-projections.ts'
import type { Views } from './projections/views.ts'
import type { FromProjector, ProjectorStart, ToProjector } from './start-projector.ts'
import { systemClock } from './system.ts'

/* The projector's thread: what `startProjectorThread` starts. It has connections of its own, and ends the whole thread where it cannot go on. */

if (!parentPort) throw new Error('the projector is started by the shop, as a thread of it')
const port = parentPort
const { config } = workerData as ProjectorStart
const post = (message: FromProjector): void => port.postMessage(message)

const RETRY_MS = 1_000
const READ_AGAIN_MS = 10_000

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
    readAll: batchingReads(engines.log, { now: () => performance.now(), sleep: systemClock.sleep }),
    // Notified by the thread that follows the log, so that this one need not poll.
    async waitForEvents(wait) {
      const isNotified = newest > wait.after
      newest = START
      if (!isNotified) await appended.wait(wait)
    },
  },
  store: engines.views,
  logId: engines.logId,
  projections,
  clock: systemClock,
  onMoved: () => post({ kind: 'moved', positions: new Map([...names].map((name) => [name, runner.position([name])])) }),
  onTrouble: ({ view, collection, error }) => troubled(view, { collection, error }),
  onRecovered: ({ view }) => recovered(view),
})

port.on('message', (message: ToProjector) => {
  switch (message.kind) {
    case 'appended':
      newest = message.head
      return appended.wake(newest)
    case 'status':
      return void runner.status().then((statuses) => post({ kind: 'status', statuses }))
    case 'stop':
      return void stop()
  }
})
await begin()
const reading = readAgainAndAgain()
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
  if (!isSaid) post({ kind: 'trouble', collection, text: String(error) })
}

function recovered(view: string): void {
  if (troubles.delete(view) && troubles.size === 0) post({ kind: 'recovered' })
}

/** Builds the customers anew once the vault knows somebody whom it did not know, or counts him as erased. */
async function readAgainAndAgain(): Promise<void> {
  const views = viewReader({ store: engines.views, projections, now: () => systemClock.now() })
  while (!stopping.signal.aborted) {
    try {
      if (await isSomebodyKnown(views)) await dropBuild(engines.views, customersProjection, systemClock.now())
    } catch (error) {
      if (!(error instanceof TryAgain))
        post({ kind: 'trouble', collection: customersProjection.name, text: String(error) })
    }
    await pause(READ_AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
}

async function isSomebodyKnown(views: Views): Promise<boolean> {
  for await (const customerIds of unreadCustomers(views))
    if ((await engines.vault.keysOf(customerIds)).size > 0) return true
  return false
}

async function stop(): Promise<void> {
  stopping.abort()
  await Promise.all([runner.stop(), reading])
  await engines.close()
  process.exit()
}

import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as pause } from 'node:timers/promises'
import { openProjectorEngines } from './shop-engines.ts'
import { START } from '../engines/event-store/event-store.ts'
import { waiters } from '../engines/event-store/waiters.ts'
import { TryAgain } from '../ports/try-again.ts'
import { beginSet, projectionRunner } from '../projector/runner.ts'
import { viewReader } from '../projector/view-reader.ts'
import { unreadCustomers } from '../projections/customers.ts'
import { shapeOf } from '../projections/shape.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import type { Views } from '../projections/shop-views.ts'
import type { FromProjector, ProjectorStart, ToProjector } from './start-projector.ts'
import { systemClock } from './system.ts'

/* The projector's thread: what `startProjectorThread` starts. It has connections of its own, and ends the whole thread where it cannot go on. */

if (!parentPort) throw new Error('the projector is started by the shop, as a thread of it')
const port = parentPort
const { config } = workerData as ProjectorStart
const post = (message: FromProjector): void => port.postMessage(message)

const READ_AGAIN_MS = 10_000

const stopping = new AbortController()
/** What kinds of errors keep the views from being kept up. */
const troubles = new Set<string>()
const appended = waiters()
let newest = START
const engines = await openProjectorEngines(config)
const { log, vault, views: store, logId } = engines
const projections = shopProjections({ timeZone: config.SHOP_TIME_ZONE })
const shape = shapeOf({ timeZone: config.SHOP_TIME_ZONE })
const runner = projectionRunner({
  log: {
    ...log,
    // Notified by the thread that follows the log, so that this one need not poll.
    async waitForEvents(wait) {
      const isNotified = newest > wait.after
      newest = START
      if (!isNotified) await appended.wait(wait)
    },
  },
  store,
  logId,
  shape,
  projections,
  // Never goes back, whatever happens to the time of the machine.
  clock: { now: () => performance.now(), sleep: async (ms) => systemClock.sleep(ms) },
  onMoved: () => post({ kind: 'moved', position: runner.position() }),
  onTrouble: troubled,
  onRecovered: recovered,
})

port.on('message', (message: ToProjector) => {
  if (message.kind === 'stop') return void stop()
  newest = message.head
  appended.wake(newest)
})
const reading = readAgainAndAgain()
await runner.start()

/** Each kind is said once. */
function troubled(error: unknown): void {
  const kind = error instanceof Error ? error.name : String(error)
  if (!troubles.has(kind)) post({ kind: 'trouble', text: String(error) })
  troubles.add(kind)
}

function recovered(): void {
  troubles.clear()
  post({ kind: 'recovered' })
}

/** Builds the views anew once the vault knows the key of a buyer that it did not know, or counts that buyer as erased. */
async function readAgainAndAgain(): Promise<void> {
  const views = viewReader({ store, shape, projections, now: () => performance.now() })
  while (!stopping.signal.aborted) {
    try {
      if (await isSomebodyKnown(views)) await beginSet(store, { shape, logId, projections, log, beside: true })
    } catch (error) {
      if (!(error instanceof TryAgain)) post({ kind: 'trouble', text: String(error) })
    }
    await pause(READ_AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
}

async function isSomebodyKnown(views: Views): Promise<boolean> {
  for await (const customerIds of unreadCustomers(views)) if ((await vault.keysOf(customerIds)).size > 0) return true
  return false
}

async function stop(): Promise<void> {
  stopping.abort()
  await Promise.all([runner.stop(), reading])
  await engines.close()
  process.exit()
}

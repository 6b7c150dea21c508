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

/* The projector's thread, started by `startProjectorThread`. It has its own connections; an error that it cannot handle ends the thread. */

if (!parentPort) throw new Error('the projector is started by the shop, as a thread of it')
const port = parentPort
const { config, owner } = workerData as ProjectorStart
const post = (message: FromProjector): void => port.postMessage(message)

const READ_AGAIN_MS = 10_000

const stopping = new AbortController()
/** Kinds of errors that keep the views from being updated. */
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
    // The thread that follows the log notifies this one, so that it need not poll.
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
  owner,
  // Monotonic, even if the machine's clock is set back.
  clock: { now: () => performance.now(), sleep: async (ms) => systemClock.sleep(ms) },
  onMoved: () => post({ kind: 'moved', position: runner.position() }),
  onTrouble: reportTrouble,
  onRecovered: reportRecovered,
})

port.on('message', (message: ToProjector) => {
  if (message.kind === 'stop') return void stop()
  newest = message.head
  appended.wake(newest)
})
const reading = rebuildWhenReadable()
await runner.run()

/** Reports each kind once. */
function reportTrouble(error: unknown): void {
  const kind = error instanceof Error ? error.name : String(error)
  if (!troubles.has(kind)) post({ kind: 'trouble', text: String(error) })
  troubles.add(kind)
}

function reportRecovered(): void {
  troubles.clear()
  post({ kind: 'recovered' })
}

/** Rebuilds the views once the vault knows a key that it did not know before, or that the buyer is erased. */
async function rebuildWhenReadable(): Promise<void> {
  const views = viewReader({ store, shape, projections, now: () => performance.now() })
  while (!stopping.signal.aborted) {
    try {
      if (await isAnyBuyerKnown(views)) await beginSet(store, { shape, logId, projections, log, beside: true })
    } catch (error) {
      if (!(error instanceof TryAgain)) post({ kind: 'trouble', text: String(error) })
    }
    await pause(READ_AGAIN_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
  }
}

async function isAnyBuyerKnown(views: Views): Promise<boolean> {
  for await (const customerIds of unreadCustomers(views)) if ((await vault.keysOf(customerIds)).size > 0) return true
  return false
}

async function stop(): Promise<void> {
  stopping.abort()
  await Promise.all([runner.stop(), reading])
  await engines.close()
  process.exit()
}

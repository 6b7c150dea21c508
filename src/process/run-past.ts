import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { pastViews } from '../history/fold-past-views.ts'
import { openLogStore } from '../log/open-log-store.ts'
import { oneLine } from '../ports/one-line.ts'
import { TryAgain } from '../ports/try-again.ts'
import type { Reached } from '../projections/past-views.ts'
import type { FromPast, PastStart, SentError, ToPast } from './start-past.ts'

/* The thread of `pastFolder`: folds the log up to a moment, then serves the views until it is terminated. */

const PROGRESS_EVERY_MS = 100
const port = parentPort
const { config, beforeMs } = workerData as PastStart
const post = (message: FromPast): void => port?.postMessage(message)
// Lowest priority, since buyers come first. On other systems, it would apply to the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

let reportedAt = 0
try {
  const store = await openLogStore(config, { isReadOnly: true })
  const { views, reached, openM } = await pastViews({ store, beforeMs, timeZone: config.SHOP_TIME_ZONE, onProgress })
  port?.on('message', (message: ToPast) => void answer(message))
  post({ kind: 'folded', reached, openM })

  async function answer({ id, ask, given }: ToPast): Promise<void> {
    try {
      const query = views[ask] as (...given: readonly unknown[]) => Promise<unknown>
      post({ kind: 'answer', id, value: await query(...given) })
    } catch (error) {
      post({ kind: 'failed', id, error: toSentError(error) })
    }
  }
} catch (error) {
  post({ kind: 'not folded', error: toSentError(error) })
}

function onProgress(reached: Reached): void {
  if (performance.now() - reportedAt < PROGRESS_EVERY_MS) return
  reportedAt = performance.now()
  post({ kind: 'reached', reached })
}

function toSentError(error: unknown): SentError {
  return { code: error instanceof TryAgain ? error.code : undefined, message: oneLine(error) }
}

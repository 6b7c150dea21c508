import { parentPort, workerData } from 'node:worker_threads'
import type { Folded } from './api/as-of/past-views.ts'
import { seldom, sentError, yieldToBuyers } from './history-thread.ts'
import { pastProjections, pastViews } from './history/past-views.ts'
import { openEventStore } from './log-engines.ts'
import type { FromPast, PastAnswers, PastStart, ToPast } from './start-past.ts'

/* The thread of `pastFolder`: folds the log up to a moment, and answers from its views until it is terminated. */

yieldToBuyers()
const port = parentPort
const { config, beforeMs } = workerData as PastStart
const timeZone = config.SHOP_TIME_ZONE
const post = (message: FromPast): void => port?.postMessage(message)

const store = await openEventStore(config, { isReadOnly: true })
const onProgress = seldom((reached: Folded) => post({ kind: 'reached', reached }))
const past = await pastViews({ store, beforeMs, timeZone, onProgress })
const { views, reached, openM } = past
const collections = new Map(
  await Promise.all(
    pastProjections({ timeZone }).map(async ({ name }) => [name, await views.collection(name)] as const),
  ),
)
const answers: PastAnswers = { ...views.store, revenue: async () => past.revenue() }
port?.on('message', (message: ToPast) => void answer(message))
post({ kind: 'folded', reached, openM, collections })

async function answer({ id, ask, given }: ToPast): Promise<void> {
  try {
    const asked = answers[ask] as (...given: readonly unknown[]) => Promise<unknown>
    post({ kind: 'answer', id, value: await asked(...given) })
  } catch (error) {
    post({ kind: 'failed', id, error: sentError(error) })
  }
}

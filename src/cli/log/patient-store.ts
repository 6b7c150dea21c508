import { AppendAmbiguous, type EventStore, EventStoreAway } from '../../event-store/event-store.ts'
import { oneLine } from '../command-line.ts'

export interface Patience {
  readonly sleep: (ms: number) => Promise<void>
  /** Each call that fails and is made again, in one line. */
  readonly onTrouble: (line: string) => void
}

/** With the pauses some 45 s: longer than a server takes to restart. */
const ATTEMPTS_MAX = 10
const PAUSE_MS = 250
const PAUSE_MS_MAX = 10_000

/**
 * A store whose calls are made again while it is away, a bounded number of times with growing pauses. For one writer that waits for each append: an append
 * without an answer is repeated with the same ids, which writes it once.
 */
export function patientStore(store: EventStore, { sleep, onTrouble }: Patience): EventStore {
  async function patiently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call()
      } catch (error) {
        const isAway = error instanceof EventStoreAway || error instanceof AppendAmbiguous
        if (!isAway || attempt === ATTEMPTS_MAX) throw error
        const pauseMs = Math.min(PAUSE_MS * 2 ** (attempt - 1), PAUSE_MS_MAX)
        onTrouble(`${oneLine(error)}; again in ${pauseMs / 1_000} s (attempt ${attempt + 1} of ${ATTEMPTS_MAX})`)
        await sleep(pauseMs)
      }
    }
  }

  return {
    ...store,
    append: async (...given) => patiently(async () => store.append(...given)),
    readAll: async (page) => patiently(async () => store.readAll(page)),
    head: async () => patiently(async () => store.head()),
    readSnapshot: async (stream) => patiently(async () => store.readSnapshot(stream)),
    writeSnapshot: async (...given) => patiently(async () => store.writeSnapshot(...given)),
  }
}

import { inTime } from './in-time.ts'

/** Short: a stop must not wait for a server that is away. */
const CLOSE_MS = 500

/** Calls in progress: `close` waits for them briefly and rejects later ones. */
interface InFlight {
  readonly run: <Answer>(call: () => Promise<Answer>) => Promise<Answer>
  readonly close: () => Promise<void>
}

/** `refusal` returns the error of a rejected call. */
export function inFlight(refusal: (why: string) => Error, max = Infinity): InFlight {
  const underway = new Set<Promise<unknown>>()
  let isClosed = false
  return {
    async run(call) {
      if (isClosed) throw refusal('is closed')
      if (underway.size >= max) throw refusal('has too many calls waiting')
      const running = call()
      underway.add(running)
      try {
        return await running
      } finally {
        underway.delete(running)
      }
    },
    async close() {
      isClosed = true
      await inTime(Promise.allSettled(underway), CLOSE_MS, undefined)
    },
  }
}

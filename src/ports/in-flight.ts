import { inTime } from './in-time.ts'

/** A server that is away answers nothing, and a stop has little time. */
const CLOSE_MS = 500

/** Calls that are under way: a close waits for them, for a moment, and later ones are refused. */
export interface InFlight {
  readonly run: <Answer>(call: () => Promise<Answer>) => Promise<Answer>
  readonly close: () => Promise<void>
}

/** `refusal` gives the error of a call that is not begun. */
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

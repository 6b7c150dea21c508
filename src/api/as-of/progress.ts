import type { Progress } from '../contract/as-of.ts'
import type { Folded } from './past-views.ts'

/** Of the part of the log that is read. */
export interface Span {
  /** Of the first event. */
  readonly fromMs: number
  readonly beforeMs: number
}

export function progressOf(reached: Folded | undefined, { fromMs, beforeMs }: Span): Progress {
  if (reached === undefined || reached.events === 0) return { events: 0, upTo: null, part: 0 }
  const { events, recordedAt } = reached
  const part = beforeMs > fromMs ? Math.min(Math.max((recordedAt - fromMs) / (beforeMs - fromMs), 0), 1) : 1
  return { events, upTo: new Date(recordedAt).toISOString(), part }
}

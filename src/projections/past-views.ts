import type { Views } from './shop-views.ts'

/** How far the log has been read. */
export interface Reached {
  readonly events: number
  /** Of the last event; `START` and 0 without one. */
  readonly position: string
  readonly recordedAt: number
}

/** The views of the log up to a moment, without personal data. */
export interface PastViews {
  readonly views: Views
  readonly reached: Reached
  /** Millions that open reservations held. */
  readonly openM: number
  close(): Promise<void>
}

/** Folds the log before a moment. Rejects with the signal's reason, and with `OutOfMemory`. */
export type FoldPast = (asked: {
  readonly beforeMs: number
  readonly signal: AbortSignal
  readonly onProgress: (reached: Reached) => void
}) => Promise<PastViews>

/** A thread needed more memory than it may take. */
export class OutOfMemory extends Error {
  override readonly name = 'OutOfMemory'
}

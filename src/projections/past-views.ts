import type { Views } from './shop-views.ts'

/** How far the log has been read. */
export interface Reached {
  readonly events: number
  /** Of the last event; `START` and 0 if none. */
  readonly position: string
  readonly recordedAt: number
}

/** The views of the log up to a moment, without personal data. */
export interface PastViews {
  readonly views: Views
  readonly reached: Reached
  /** Coins in open reservations, in millions. */
  readonly openM: number
  close(): Promise<void>
}

/** Folds the log before a moment. Rejects with the signal's reason or with `OutOfMemory`. */
export type FoldPast = (asked: {
  readonly beforeMs: number
  readonly signal: AbortSignal
  readonly onProgress: (reached: Reached) => void
}) => Promise<PastViews>

/** A thread exceeded its memory limit. */
export class OutOfMemory extends Error {
  override readonly name = 'OutOfMemory'
}

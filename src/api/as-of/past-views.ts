import type { Views } from '../../projections/views.ts'

/** Completed orders and what they brought in, by a key. */
export interface RevenueRow {
  readonly key: string
  readonly revenueCents: number
  readonly completed: number
}

export interface RevenueRows {
  /** Keys are days of the shop's calendar, oldest first. */
  readonly byDay: readonly RevenueRow[]
  /** Keys are methods, or `none`. */
  readonly byMethod: readonly RevenueRow[]
}

/** How far the log was folded. */
export interface Folded {
  readonly events: number
  /** Of the last event. */
  readonly position: string
  readonly recordedAt: number
}

/** The views of a shop that was stopped at a moment. */
export interface PastViews {
  readonly views: Views
  readonly reached: Folded
  /** Millions that open reservations held. */
  readonly openM: number
  revenue(): Promise<RevenueRows>
  /** Resolves when they are away, with the reason where nobody has closed them. */
  readonly ended: Promise<Error | undefined>
  close(): Promise<void>
}

/** Folds the log before a moment. Rejects with the signal's reason, and with `OutOfMemory`. */
export type FoldPast = (asked: {
  readonly beforeMs: number
  readonly signal: AbortSignal
  readonly onProgress: (reached: Folded) => void
}) => Promise<PastViews>

/** Adds up the whole log. Rejects with the signal's reason. */
export type ReadRevenue = (asked: {
  readonly signal: AbortSignal
  readonly onProgress?: (reached: Folded) => void
}) => Promise<RevenueRows>

/** A thread needed more memory than it may take. */
export class OutOfMemory extends Error {
  override readonly name = 'OutOfMemory'
}

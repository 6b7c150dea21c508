import type { Machine } from './machine.ts'
import type { Measure } from './notebook.ts'
import type { Budget } from './profile/budget.ts'
import type { SizeResult } from './scenarios/sizes.ts'
import type { Soak } from './scenarios/soak.ts'

/** How and when something was measured. */
export interface Run {
  readonly machine: Machine
  readonly command: string
  /** ISO text. */
  readonly at: string
  readonly rounds: number
  /** Of each load. */
  readonly seconds: number
}

export interface Results {
  readonly run: Run
  readonly measures: readonly Measure[]
  readonly budgets: readonly Budget[]
  /** Of a log of orders of every kind. */
  readonly bytesPerEvent: number | undefined
}

/** What only `--full` measures. */
export interface LargeResults {
  readonly run: Run
  readonly sizes: readonly SizeResult[]
  readonly soak: Soak | undefined
}

/** All that the page tells. A run without `--full` leaves the large ones as they were. */
export interface Records {
  readonly latest: Results
  readonly large: LargeResults | undefined
}

import type { Order } from '#contract/order.ts'

/** What every method's panel is given. */
export interface PanelProps {
  readonly order: Order
  /** What is still to be paid by this method, as the wire has it. */
  readonly amount: string
  /** What the order's deadline is about. */
  readonly holds: string
  /** Whether to ask for payment: not while money is on its way. */
  readonly isPayable: boolean
  /** In words, where the last payment did not go through. */
  readonly lastFailed: string | undefined
}

import type { Order } from '#contract/order.ts'

/** The properties of every method's panel. */
export interface PanelProps {
  readonly order: Order
  /** The amount still to pay by this method, as the API sends it. */
  readonly amount: string
  /** The words before the order's deadline. */
  readonly holds: string
  /** Whether to ask for payment: not while money is on its way. */
  readonly isPayable: boolean
  /** Why the last payment failed, as the order has it. Undefined if it did not. */
  readonly failed: string | undefined
}

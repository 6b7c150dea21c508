import type { PaymentMethod } from '../domain/order/events.ts'

export interface WatchedPayment {
  readonly orderId: string
  readonly attempt: number
  readonly method: PaymentMethod
  /** The order still waits for this money; otherwise it is only watched for late news. */
  readonly isAwaited: boolean
  readonly startedAt: string
}

/** Candidates that the views know of. Each list is bounded; whoever acts on one asks the deciding stream first. */
export interface OpenWork {
  /** Payments to ask about, awaited ones first. `after` pages through those that are only watched, round and round. */
  watchedPayments(page: { after: string | undefined; limit: number }): Promise<{
    readonly payments: readonly WatchedPayment[]
    readonly next: string | undefined
  }>
  ordersToExpire(now: string, limit: number): Promise<readonly string[]>
  /** Open reservations older than `openedBefore`, or whose order has ended. */
  reservationsToEnd(
    openedBefore: string,
    limit: number,
  ): Promise<readonly { readonly orderId: string; readonly claimAt: number; readonly serial: number }[]>
  /** Paid or approved, or with a delivery call that is open. */
  ordersToDeliver(limit: number): Promise<readonly string[]>
  ordersToReinstate(limit: number): Promise<readonly string[]>
  /** In the order of payment. */
  preOrdersToReserve(limit: number): Promise<readonly string[]>
  /** Claimed or refused, and not told to every order yet. */
  receiptsToFinish(limit: number): Promise<readonly { readonly provider: string; readonly receiptId: string }[]>
}

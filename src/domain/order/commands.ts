import type { PaymentMethod } from '../payment-methods.ts'
import type { DeliveryMode, DisputeOutcome } from '../words.ts'
import type { OrderEvent, OrderEventData } from './events.ts'
import type { PaidBack, PlacedOrder, SeenPart } from './order-state.ts'

/** A receipt as its provider reports it now. */
export type ReceiptNews = Omit<OrderEventData<'PaymentReceived'>, 'orderId' | 'addedAmount' | 'addedCents' | 'at'>

/** A refund that a provider lists under an id of ours. */
export interface ReportedRefund {
  /** Ours. */
  readonly refundId: string
  readonly providerRefundId: string
  readonly amount: string
  readonly status: 'done' | 'pending' | 'failed'
}

/** Commands to an existing order, by type. */
interface PlacedOrderCommands {
  ChoosePaymentMethod: { paymentMethod: PaymentMethod }
  RequestPayment: {
    request: Omit<OrderEventData<'PaymentRequested'>, 'orderId' | 'at'>
    /** The open attempt that a fresh quote is to replace. */
    replaces?: number | undefined
  }
  StartPayment: { started: Omit<OrderEventData<'PaymentStarted'>, 'orderId' | 'orderExpiresAt' | 'at'> }
  /** `parts`: transfers that hold money and are no receipt. `ended`: ids of those that no longer do. */
  SeePayment: Pick<OrderEventData<'PaymentSeen'>, 'attempt' | 'status' | 'amountPaid'> & {
    parts?: readonly SeenPart[] | undefined
    ended?: readonly string[] | undefined
    deliveryMode: DeliveryMode
  }
  FailPayment: Pick<OrderEventData<'PaymentFailed'>, 'attempt' | 'reason'> & {
    ended?: readonly string[] | undefined
    deliveryMode: DeliveryMode
  }
  /** Seen parts have failed, or are receipts now, whatever the payment's status. */
  EndParts: { attempt: number; ended: readonly string[]; deliveryMode: DeliveryMode }
  RequestCapture: { attempt: number; requestId: string; callsUntil: string }
  GiveUpCapture: { attempt: number; deliveryMode: DeliveryMode }
  ReceivePayment: { receipt: ReceiptNews; deliveryMode: DeliveryMode }
  /**
   * Receives the receipt, and records what its provider reports as paid back. `backBefore`: that report when the provider was asked; by
   * default the current one. `byHolder`: the payment that holds the receipt reports it, and not another one that names it, too.
   */
  ReportRefund: {
    receipt: ReceiptNews
    back: PaidBack
    backBefore?: PaidBack | undefined
    byHolder: boolean
    /** Refunds of this receipt that the provider lists under ids of ours. */
    refunds?: readonly ReportedRefund[] | undefined
    deliveryMode: DeliveryMode
  }
  RequestRefund: Pick<
    OrderEventData<'RefundRequested'>,
    'refundId' | 'requestHash' | 'receiptId' | 'amount' | 'reason' | 'coinsGiven' | 'callsUntil' | 'adminId'
  >
  /** The provider has answered the call. */
  FinishRefund: { refund: ReportedRefund; receiptId: string; deliveryMode: DeliveryMode }
  /** Closes a refund that must not be sent any more. `refusal`: the provider's reason, if it refused. */
  GiveUpRefund: { refundId: string; refusal: string | null; deliveryMode: DeliveryMode }
  /** A refund of receipt `receiptId`; if null, of the newest ones first. */
  RecordRefund: Pick<
    OrderEventData<'RefundRecorded'>,
    'refundId' | 'requestHash' | 'amountCents' | 'reason' | 'whereTo' | 'coinsGiven' | 'adminId'
  > & { receiptId: string | null }
  /** Money that pays another order, or came in another coin: it covers nothing until staff decide. */
  NoteUnusableReceipt: Pick<OrderEventData<'ReceiptUnusable'>, 'attempt' | 'receiptId' | 'why' | 'endsSighting'> & {
    isGone: boolean
  }
  NoteDispute: Omit<OrderEventData<'PaymentDisputed'>, 'orderId' | 'at'> & {
    outcome: DisputeOutcome
    deliveryMode: DeliveryMode
  }
  NoteBlock: unknown
  /**
   * `backBefore`: what was paid back of all receipts when the last check began (`paidBackOf`); by default what is now.
   * `isUnclear`: that check found an unknown status and no money. Also after the end, if the status has become unknown.
   */
  EndPaymentWatch: { attempt: number; pollBeganAt: string; backBefore?: string; isUnclear?: boolean }
  /** Checking a payment failed. */
  NoteHeldUpWatch: { attempt: number }
  ApproveOrder: { serial: number | null; adminId: string; deliveryMode: DeliveryMode }
  ReservePreOrder: { serial: number; deliveryMode: DeliveryMode }
  ReinstateOrder: { serial: number; deliveryMode: DeliveryMode }
  RefuseReinstatement: unknown
  /** Its note, sealed. */
  MarkDelivered: Pick<OrderEventData<'OrderCompleted'>, 'note' | 'isNoteShown'>
  RequestDelivery: { callsUntil: string }
  HoldDelivery: unknown
  ConfirmDelivery: unknown
  GiveUpDelivery: unknown
  ExpireOrder: unknown
  CancelOrder: unknown
  SettleAttention: Pick<OrderEventData<'AttentionSettled'>, 'reason' | 'adminId'>
  DeleteOrder: { coinsGiven: boolean | null; adminId: string }
}

export type PlacedOrderCommand<Type extends keyof PlacedOrderCommands = keyof PlacedOrderCommands> = {
  [Each in Type]: { type: Each; at: string } & PlacedOrderCommands[Each]
}[Type]

export type Decisions = {
  readonly [Type in keyof PlacedOrderCommands]: (order: PlacedOrder, command: PlacedOrderCommand<Type>) => OrderEvent[]
}

export type OrderCommand =
  | { type: 'PlaceOrder'; placed: OrderEventData<'OrderPlaced'> }
  | { type: 'AbandonOrder'; orderId: string; claimAt: number; serial: number; at: string }
  | PlacedOrderCommand

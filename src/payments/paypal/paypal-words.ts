import { row, type WordTable } from '../word-meanings.ts'

/** Order statuses: only an order's captures are money. */
export const orderWords: WordTable = {
  CREATED: row('none', 'waiting'),
  SAVED: row('none', 'waiting'),
  PAYER_ACTION_REQUIRED: row('none', 'waiting'),
  APPROVED: row('none', 'approved'),
  VOIDED: row('none', 'cancelled'),
  COMPLETED: row('none', 'unknown'),
  other: row('none', 'unknown'),
}

/** Capture words; each has an amount. */
export const captureWords: WordTable = {
  COMPLETED: row('receipt', 'unknown'),
  PARTIALLY_REFUNDED: row('receipt', 'unknown'),
  REFUNDED: row('reversed', 'unknown'),
  REVERSED: row('reversed', 'unknown'),
  PENDING: row('confirming', 'confirming'),
  DECLINED: row('ended', 'declined'),
  DENIED: row('ended', 'declined'),
  FAILED: row('ended', 'failed'),
  other: row('confirming', 'unknown'),
}

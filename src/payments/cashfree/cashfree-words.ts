import { row, type WordTable } from '../word-meanings.ts'

/** Order statuses; an order's amount is that of its successful tries. */
export const orderWords: WordTable = {
  ACTIVE: row('confirming', 'waiting'),
  TERMINATION_REQUESTED: row('confirming', 'waiting'),
  PAID: row('receipt', 'confirmed'),
  EXPIRED: row('receipt', 'expired'),
  TERMINATED: row('receipt', 'cancelled'),
  other: row('confirming', 'unknown'),
}

/** Try statuses; the amount counts unless the try was not captured. */
export const tryWords: WordTable = {
  SUCCESS: row('receipt', 'waiting'),
  PENDING: row('confirming', 'confirming'),
  NOT_ATTEMPTED: row('none', 'waiting'),
  USER_DROPPED: row('ended', 'waiting'),
  FAILED: row('ended', 'failed'),
  CANCELLED: row('ended', 'failed'),
  VOID: row('ended', 'failed'),
  other: row('confirming', 'unknown'),
}

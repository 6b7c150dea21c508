import { row, type WordTable } from '../word-meanings.ts'

/** Of an order at Cashfree; its amount is that of the tries that succeeded. */
export const orderWords: WordTable = {
  ACTIVE: row('confirming', 'waiting'),
  TERMINATION_REQUESTED: row('confirming', 'waiting'),
  PAID: row('receipt', 'confirmed'),
  EXPIRED: row('receipt', 'expired'),
  TERMINATED: row('receipt', 'cancelled'),
  other: row('confirming', 'unknown'),
}

/** Of a try; its amount counts unless it says that it was not captured. */
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

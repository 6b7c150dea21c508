import { row, type WordTable } from '../word-meanings.ts'

/** Payment statuses; `actually_paid` is the amount. */
export const paymentWords: WordTable = {
  waiting: row('confirming', 'waiting'),
  confirming: row('confirming', 'confirming'),
  confirmed: row('confirmed', 'confirmed'),
  sending: row('sending', 'sending'),
  partially_paid: row('receipt', 'partially_paid'),
  finished: row('receipt', 'confirmed'),
  refunded: row('reversed', 'refunded'),
  failed: row('confirming', 'failed'),
  expired: row('confirming', 'expired'),
  cancelled: row('confirming', 'cancelled'),
  wrong_asset_confirmed: row('stray', 'unknown'),
  other: row('stray', 'unknown'),
}

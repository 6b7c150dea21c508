import { row, type WordTable } from '../word-meanings.ts'

/** Its amount is what was asked for: only the bank's number beside it says that there is money. */
export const paymentWords: WordTable = {
  created: row('none', 'waiting'),
  // The payment page was opened. That proves no money, so it must not keep coins reserved.
  scanning: row('none', 'waiting'),
  success: row('receipt', 'confirmed'),
  failure: row('none', 'failed'),
  failed: row('none', 'failed'),
  other: row('confirmed', 'unknown'),
}

import { row, type WordTable } from '../word-meanings.ts'

/** The amount is always the asked one: only a bank's number next to it proves money. */
export const paymentWords: WordTable = {
  created: row('none', 'waiting'),
  // The payment page was opened. That proves no money, so it must not keep coins reserved.
  scanning: row('none', 'waiting'),
  success: row('receipt', 'confirmed'),
  failure: row('none', 'failed'),
  failed: row('none', 'failed'),
  other: row('confirmed', 'unknown'),
}

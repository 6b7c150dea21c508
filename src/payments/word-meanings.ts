import type { SeenStatus } from '../domain/words.ts'
import type { PaymentReport } from './payment-provider.ts'

type Status = PaymentReport['status']

/** What a status word means, with an amount reported under it and without one. */
export interface Meaning {
  /** `receipt`: the shop's money. `reversed`: it went back. `stray`: in another coin, else seen. `ended`: it does not come. `none`: the amount is only the asked one. */
  readonly money: 'receipt' | 'reversed' | 'stray' | SeenStatus | 'ended' | 'none'
  /** The payment's status, if no money is reported. */
  readonly nothing: Status
}

/** Every status word of one kind. `other` is an unknown word: its money counts as seen; without money, staff decide when the watch ends. */
export type WordTable = Readonly<Record<string, Meaning>> & {
  readonly other: Meaning & { readonly nothing: 'unknown' }
}

export function row<Nothing extends Status>(
  money: Meaning['money'],
  nothing: Nothing,
): Meaning & { readonly nothing: Nothing } {
  return { money, nothing }
}

export function meaningOf(words: WordTable, word: string): Meaning {
  return (isKnown(words, word) ? words[word] : undefined) ?? words.other
}

/** Reports words that are not in the table. */
export function reportUnknownWords(
  tell: ((word: string) => void) | undefined,
  words: WordTable,
  given: readonly string[],
): void {
  for (const word of given) if (!isKnown(words, word)) tell?.(word)
}

function isKnown(words: WordTable, word: string): boolean {
  return word !== 'other' && Object.hasOwn(words, word)
}

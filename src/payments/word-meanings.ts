import type { SeenStatus } from '../domain/words.ts'
import type { PaymentReport } from './payment-provider.ts'

type Status = PaymentReport['status']

/** What a status word means: where an amount is reported under it, and where none is. */
export interface Meaning {
  /** `receipt`: money of the shop. `reversed`: it went back. `stray`: of another coin, or else seen. `ended`: it does not come. `none`: the amount is only what was asked for. */
  readonly money: 'receipt' | 'reversed' | 'stray' | SeenStatus | 'ended' | 'none'
  readonly nothing: Status
}

/** Every status word of one kind. `other` is a word that is not known: its money is seen, and without any the watch ends before a person. */
export type WordTable = Readonly<Record<string, Meaning>> & { readonly other: Meaning }

export function row(money: Meaning['money'], nothing: Status): Meaning {
  return { money, nothing }
}

export function meaningOf(words: WordTable, word: string): Meaning {
  return (isKnown(words, word) ? words[word] : undefined) ?? words.other
}

/** Tells of the words that are not in the table. */
export function tellUnknown(
  tell: ((word: string) => void) | undefined,
  words: WordTable,
  said: readonly string[],
): void {
  for (const word of said) if (!isKnown(words, word)) tell?.(word)
}

function isKnown(words: WordTable, word: string): boolean {
  return word !== 'other' && Object.hasOwn(words, word)
}

import type { PaymentReport, SeenStatus } from './payment-provider.ts'

type Status = PaymentReport['status']

/** What a status word means: where an amount is reported under it, and where none is. */
export interface Meaning {
  /** `receipt`: money of the shop. `reversed`: it went back. `stray`: of another coin, or else seen. `ended`: it does not come. `none`: the amount is only what was asked for. */
  readonly money: 'receipt' | 'reversed' | 'stray' | SeenStatus | 'ended' | 'none'
  readonly nothing: Status
}

function row(money: Meaning['money'], nothing: Status): Meaning {
  return { money, nothing }
}

/** Every word of each gateway; `other` is a word that is not known: its money is seen, and without any the watch ends before a person. */
export const providerWords = {
  /** Of a payment; its amount is `actually_paid`. */
  'NOWPayments, payment': {
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
  },
  /** Of an order at PayPal: its captures alone are money. */
  'PayPal, order': {
    CREATED: row('none', 'waiting'),
    SAVED: row('none', 'waiting'),
    PAYER_ACTION_REQUIRED: row('none', 'waiting'),
    APPROVED: row('none', 'approved'),
    VOIDED: row('none', 'cancelled'),
    COMPLETED: row('none', 'unknown'),
    other: row('none', 'unknown'),
  },
  /** Of a capture; each has an amount. */
  'PayPal, capture': {
    COMPLETED: row('receipt', 'unknown'),
    PARTIALLY_REFUNDED: row('receipt', 'unknown'),
    REFUNDED: row('reversed', 'unknown'),
    REVERSED: row('reversed', 'unknown'),
    PENDING: row('confirming', 'confirming'),
    DECLINED: row('ended', 'declined'),
    DENIED: row('ended', 'declined'),
    FAILED: row('ended', 'failed'),
    other: row('confirming', 'unknown'),
  },
  /** Of an order at Cashfree; its amount is that of the tries that succeeded. */
  'Cashfree, order': {
    ACTIVE: row('confirming', 'waiting'),
    TERMINATION_REQUESTED: row('confirming', 'waiting'),
    PAID: row('receipt', 'confirmed'),
    EXPIRED: row('receipt', 'expired'),
    TERMINATED: row('receipt', 'cancelled'),
    other: row('confirming', 'unknown'),
  },
  /** Of a try; its amount counts unless it says that it was not captured. */
  'Cashfree, try': {
    SUCCESS: row('receipt', 'waiting'),
    PENDING: row('confirming', 'confirming'),
    NOT_ATTEMPTED: row('none', 'waiting'),
    USER_DROPPED: row('ended', 'waiting'),
    FAILED: row('ended', 'failed'),
    CANCELLED: row('ended', 'failed'),
    VOID: row('ended', 'failed'),
    other: row('confirming', 'unknown'),
  },
  /** Its amount is what was asked for: only the bank's number beside it says that there is money. */
  EKQR: {
    created: row('none', 'waiting'),
    // The payment page was opened, which proves no money: whoever only looks must not hold coins.
    scanning: row('none', 'waiting'),
    success: row('receipt', 'confirmed'),
    failure: row('none', 'failed'),
    failed: row('none', 'failed'),
    other: row('confirmed', 'unknown'),
  },
} as const satisfies Record<string, Readonly<Record<string, Meaning>> & { readonly other: Meaning }>

export function isKnownWord(of: keyof typeof providerWords, word: string): boolean {
  return word !== 'other' && Object.hasOwn(providerWords[of], word)
}

export function meaningOf(of: keyof typeof providerWords, word: string): Meaning {
  const words: Readonly<Record<string, Meaning>> = providerWords[of]
  return (isKnownWord(of, word) ? words[word] : undefined) ?? providerWords[of].other
}

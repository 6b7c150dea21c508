interface BuyerText {
  /** On screens. */
  readonly label: string
  /** In a sentence. */
  readonly named: string
  readonly charsMax: number
  /** Staff can search by its beginning. */
  readonly isSearched: boolean
  /** What anyone with the order's link sees: enough for buyers to recognize their own text. */
  readonly mask: (text: string) => string
}

/** Texts that a buyer enters, sealed in the log. The request, replies, mask, search, exports and the owner's dialog derive from it. */
export const buyerTexts = {
  customerEmail: { label: 'E-mail', named: 'e-mail address', charsMax: 254, isSearched: true, mask: maskedEmail },
  discordUsername: {
    label: 'Discord username',
    named: 'Discord username',
    charsMax: 64,
    isSearched: true,
    mask: maskedName,
  },
} satisfies Readonly<Record<string, BuyerText>>

export type BuyerTextName = keyof typeof buyerTexts
export type BuyerTexts = Readonly<Record<BuyerTextName, string>>

export const buyerTextNames = Object.keys(buyerTexts) as BuyerTextName[]

/** `e-mail address, Discord username and market IDs`: all personal data of an order. */
export const personalDataOfOrder = `${buyerTextNames.map((name) => buyerTexts[name].named).join(', ')} and market IDs`

/** An object with one value per text, in order. */
export function byBuyerText<Value>(valueOf: (name: BuyerTextName) => Value): Record<BuyerTextName, Value> {
  return Object.fromEntries(buyerTextNames.map((name) => [name, valueOf(name)])) as Record<BuyerTextName, Value>
}

/** `a…@e….test` */
function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const dot = domain.lastIndexOf('.')
  return `${firstOf(email)}…@${firstOf(domain)}…${dot > 0 ? domain.slice(dot) : ''}`
}

/** `a…h`, or `a…` for a single letter. */
function maskedName(name: string): string {
  const letters = Array.from(name)
  return letters.length < 2 ? `${firstOf(name)}…` : `${letters[0] ?? ''}…${letters.at(-1) ?? ''}`
}

function firstOf(text: string): string {
  return Array.from(text)[0] ?? ''
}

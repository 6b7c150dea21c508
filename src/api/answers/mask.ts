import type { Buyer } from '../../shop/read-history.ts'

type Personal = Exclude<Buyer, string>

/** The buyer as shown to anybody with the order's link: enough to recognize one's own order. */
export function masked({ customerEmail, discordUsername, marketIds }: Personal): Personal {
  return {
    customerEmail: maskedEmail(customerEmail),
    discordUsername: maskedName(discordUsername),
    marketIds: marketIds.map(({ marketId, amountM }) => ({ marketId: `…${marketId.slice(-2)}`, amountM })),
  }
}

/** `a…@e….test` */
function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const dot = domain.lastIndexOf('.')
  return `${firstOf(email)}…@${firstOf(domain)}…${dot > 0 ? domain.slice(dot) : ''}`
}

/** `a…h`; a single letter stays as it is. */
function maskedName(name: string): string {
  const letters = Array.from(name)
  return letters.length < 2 ? `${firstOf(name)}…` : `${letters[0] ?? ''}…${letters.at(-1) ?? ''}`
}

function firstOf(text: string): string {
  return Array.from(text)[0] ?? ''
}

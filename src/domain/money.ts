/** `25.40` for 2540. */
export function centsToText(cents: number): string {
  const sign = cents < 0 ? '-' : ''
  const unsigned = Math.abs(cents)
  return `${sign}${Math.floor(unsigned / 100)}.${String(unsigned % 100).padStart(2, '0')}`
}

/**
 * Cents of an amount with at most two decimals, as text or a number; undefined for anything else.
 * A number is parsed as its shortest decimal text, so 0.1 + 0.2 is rejected, not rounded.
 */
export function centsFrom(amount: string | number): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(String(amount))
  if (!match) return undefined
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const rupees = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' })
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** `₹86,500.00` for 8650000 paise. */
export function inr(paise: number): string {
  return rupees.format(paise / 100)
}

/** `$1,025.40` for 102540. */
export function usd(cents: number): string {
  return dollars.format(cents / 100)
}

/** `1,000M`. */
export function millions(quantityM: number): string {
  return `${whole.format(quantityM)}M`
}

const PLACES = 18

/** In up to 18 decimals, which a number cannot hold. Not below zero. */
export function remainderOf(asked: string, paid: string): string {
  const left = unitsOf(asked) - unitsOf(paid)
  return textOf(left > 0n ? left : 0n)
}

/** That share of an amount, rounded up to eight decimals, so that what is sent is never short again. */
export function shareOf(amount: string, share: { part: number; whole: number }): string {
  const { part, whole } = share
  if (!Number.isSafeInteger(part) || !Number.isSafeInteger(whole) || whole <= 0) return amount
  const step = 10n ** BigInt(PLACES - 8)
  const divisor = BigInt(whole) * step
  return textOf(((unitsOf(amount) * BigInt(part) + divisor - 1n) / divisor) * step)
}

function unitsOf(text: string): bigint {
  const match = /^(\d{1,30})(?:\.(\d{1,18}))?$/.exec(text.trim())
  return match === null ? 0n : BigInt(`${match[1]}${(match[2] ?? '').padEnd(PLACES, '0')}`)
}

function textOf(units: bigint): string {
  const digits = units.toString().padStart(PLACES + 1, '0')
  const decimals = digits.slice(-PLACES).replace(/0+$/, '')
  return decimals === '' ? digits.slice(0, -PLACES) : `${digits.slice(0, -PLACES)}.${decimals}`
}

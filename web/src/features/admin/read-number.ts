export interface NumberRule {
  readonly min: number
  readonly max: number
  readonly decimals: 0 | 2
}

/** Thousands, also as India writes them: `1,00,000`. `1,5` is no fifteen. */
const grouped = /^\d{1,3}(?:[,\s]\d{2,3})*[,\s]\d{3}$/

/** Whole numbers may carry spaces or commas, as people write thousands. */
export function readNumber(text: string, rule: NumberRule): { value: number } | { problem: string } {
  // A range stays on one line.
  const range = `${rule.min.toLocaleString('en-US')}\u00A0to\u00A0${rule.max.toLocaleString('en-US')}`
  const kind = rule.decimals === 0 ? 'a whole number' : 'a number with at most 2 decimals'
  const problem = `Enter ${kind} from ${range}.`
  const trimmed = text.trim()
  const plain = rule.decimals === 0 && grouped.test(trimmed) ? trimmed.replaceAll(/[,\s]/g, '') : trimmed
  const isNumber = rule.decimals === 0 ? /^\d{1,15}$/.test(plain) : /^(?:\d{1,9}(?:\.\d{0,2})?|\.\d{1,2})$/.test(plain)
  const value = Number(plain)
  return isNumber && value >= rule.min && value <= rule.max ? { value } : { problem }
}

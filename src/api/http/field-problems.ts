import type * as z from 'zod/mini'
import { buyerTexts, byBuyerText } from '../../domain/order/buyer-texts.ts'

/** Field names that do not read well when split at capitals. */
const fieldNames: Readonly<Record<string, string>> = {
  ...byBuyerText((name) => buyerTexts[name].named),
  email: 'e-mail address',
  customerPhone: 'phone number',
  customerInfo: 'customer’s information',
  marketId: 'market ID',
  marketIds: 'market IDs',
  pokecoinAmount: 'quantity in millions',
  currentStockSeen: 'stock that was shown',
}

const count = new Intl.NumberFormat('en-US')
const or = new Intl.ListFormat('en-GB', { type: 'disjunction' })
const NAMES_SAID_MAX = 3
const NAME_LENGTH_MAX = 40

/** A sentence for one wrong field of a request, instead of the validator's own message. */
export function sayProblem(issue: z.core.$ZodRawIssue): string {
  const name = nameOf(issue.path)
  const missing = issue.path?.length ? `${name} is missing.` : 'The body of this request is missing.'
  const unit = issue['origin'] === 'string' ? ' characters long' : ''
  switch (issue.code) {
    case 'too_small':
      if (unit !== '' && Number(issue.minimum) <= 1) return missing
      return `${name} must be at least ${count.format(Number(issue.minimum))}${unit}.`
    case 'too_big':
      return `${name} can be at most ${count.format(Number(issue.maximum))}${unit}.`
    case 'invalid_value':
      return `${name} must be ${or.format(issue.values.map(String))}.`
    case 'unrecognized_keys': {
      const names = issue.keys.slice(0, NAMES_SAID_MAX).map((key) => `"${key.slice(0, NAME_LENGTH_MAX)}"`)
      return `This request has something that is not known here: ${names.join(', ')}.`
    }
    case 'invalid_type':
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return issue.input === undefined || issue.input === null ? missing : `${name} is not valid.`
  }
}

/** `The phone number`, for customerInfo.customerPhone. */
function nameOf(path: readonly PropertyKey[] | undefined): string {
  const field = path?.findLast((part) => typeof part === 'string')
  if (field === undefined) return 'This request'
  return `The ${fieldNames[field] ?? field.replaceAll(/(?<=[a-z])(?=[A-Z\d])|(?<=\d)(?=[A-Z])/g, ' ').toLowerCase()}`
}

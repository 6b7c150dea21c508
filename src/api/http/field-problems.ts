import type * as z from 'zod/mini'

/** Where the name on the wire, taken apart, is not what people call it. */
const fieldNames: Readonly<Record<string, string>> = {
  customerEmail: 'e-mail address',
  email: 'e-mail address',
  discordUsername: 'Discord username',
  customerPhone: 'phone number',
  customerInfo: 'customer’s information',
  marketId: 'market ID',
  marketIds: 'market IDs',
  pokecoinAmount: 'quantity in millions',
  currentStockSeen: 'stock that was shown',
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const count = new Intl.NumberFormat('en-US')
const or = new Intl.ListFormat('en-GB', { type: 'disjunction' })
const NAMES_SAID_MAX = 3
const NAME_LENGTH_MAX = 40

/** What is wrong with one field of a request, as a sentence: takes the place of the validator's own words. */
export function sayProblem(issue: z.core.$ZodRawIssue): string {
  const name = nameOf(issue.path)
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return `${name} is missing.`
      return `${name} must be ${kinds[issue.expected] ?? 'something else'}.`
    case 'too_small':
      if (issue.origin !== 'string') return `${name} must be at least ${count.format(Number(issue.minimum))}.`
      if (Number(issue.minimum) <= 1) return `${name} is missing.`
      return `${name} must have at least ${count.format(Number(issue.minimum))} characters.`
    case 'too_big':
      if (issue.origin === 'string')
        return `${name} can have at most ${count.format(Number(issue.maximum))} characters.`
      return `${name} can be at most ${count.format(Number(issue.maximum))}.`
    case 'invalid_value':
      return `${name} must be ${or.format(issue.values.map(String))}.`
    case 'unrecognized_keys': {
      const names = issue.keys.slice(0, NAMES_SAID_MAX).map((key) => `"${key.slice(0, NAME_LENGTH_MAX)}"`)
      return `This request has something that is not known here: ${names.join(', ')}.`
    }
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_union':
    case 'not_multiple_of':
      return `${name} is not valid.`
  }
}

/** `The phone number`, for customerInfo.customerPhone. */
function nameOf(path: readonly PropertyKey[] | undefined): string {
  const field = path?.findLast((part) => typeof part === 'string')
  if (field === undefined) return 'This request'
  return `The ${fieldNames[field] ?? field.replaceAll(/(?<=[a-z])(?=[A-Z\d])|(?<=\d)(?=[A-Z])/g, ' ').toLowerCase()}`
}

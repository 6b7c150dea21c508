import { ProviderAway } from './payment-provider.ts'

// TypeScript's library does not know these parts of JSON yet.
const exact = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

/** Parses JSON but keeps numbers as text, since a double cannot hold every amount. Throws `ProviderAway` for anything else. */
export function parseExactJson(text: string): unknown {
  try {
    return exact.parse(text, (_key, value, { source }) => (typeof value === 'number' ? source : value))
  } catch {
    throw new ProviderAway('the provider answered something other than JSON')
  }
}

/** The same for any body: undefined if it is not JSON. */
export function exactJsonIn(body: Buffer | string): unknown {
  try {
    return parseExactJson(body.toString())
  } catch {
    return undefined
  }
}

/** An amount as an exact JSON number. */
export function exactNumber(text: string): unknown {
  return exact.rawJSON(text)
}

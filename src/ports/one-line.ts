import { hash } from 'node:crypto'

/** An id, or the reference of a payment. */
const KEY = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[A-Z2-7]{30}\b/gi

/** An error's message without passwords in addresses; its code if it has no message. */
export function oneLine(error: unknown): string {
  const message =
    error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
  return message
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\/\/[^/@\s]*@/g, '//')
}

/** Like `oneLine`, for the shop's log. */
export function logLine(error: unknown): string {
  return withoutKeys(oneLine(error))
}

/** Like `logLine`, with the error's name. */
export function namedLine(error: unknown): string {
  return withoutKeys(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}

/** Ids grant access, and references lead to ids: the log gets their hashes, which only link related lines. */
export function withoutKeys(text: string): string {
  return text.replaceAll(KEY, (id) => `#${hash('sha256', id.toLowerCase(), 'hex').slice(0, 12)}`)
}

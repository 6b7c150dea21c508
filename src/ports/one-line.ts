/** The message of an error, without passwords of addresses; its code where it has none. */
export function oneLine(error: unknown): string {
  const message =
    error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
  return message
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/\/\/[^/@\s]*@/g, '//')
}

/**
 * The path of the first text or name with half a surrogate pair, which neither UTF-8 nor a store can hold; undefined if there is none.
 * Without recursion, since a body may be nested as deeply as it is long.
 */
export function illFormedText(value: unknown): string | undefined {
  const waiting = [{ value, path: '' }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path } = next
    if (typeof next.value === 'string' && !next.value.isWellFormed()) return path
    if (typeof next.value !== 'object' || next.value === null) continue
    for (const [name, part] of Object.entries(next.value)) {
      if (!name.isWellFormed()) return path
      waiting.push({ value: part as unknown, path: path === '' ? name : `${path}.${name}` })
    }
  }
  return undefined
}

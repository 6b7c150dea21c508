/** `own`: kept for this tab only, until it is closed. */
type Whose = 'shared' | 'own'

function storageOf(whose: Whose): Storage {
  return whose === 'shared' ? localStorage : sessionStorage
}

/** Storage may be full, disabled or hold data of an older release: data is optional. */
export function remembered<T>(
  key: string,
  isValid: (value: unknown) => value is T,
  whose: Whose = 'shared',
): T | undefined {
  try {
    const text = storageOf(whose).getItem(key)
    if (text === null) return undefined
    const value: unknown = JSON.parse(text)
    return isValid(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function remember(key: string, value: unknown, whose: Whose = 'shared'): void {
  try {
    storageOf(whose).setItem(key, JSON.stringify(value))
  } catch {
    // Private windows refuse it; the value stays in memory.
  }
}

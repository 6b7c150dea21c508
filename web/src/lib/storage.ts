/** `own` is this tab's storage, until the tab is closed. */
type Whose = 'shared' | 'own'

function storageOf(whose: Whose): Storage {
  return whose === 'shared' ? localStorage : sessionStorage
}

/** Undefined if storage is disabled, or holds nothing or data of another release. */
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
    // Storage is full or disabled; the value stays in memory.
  }
}

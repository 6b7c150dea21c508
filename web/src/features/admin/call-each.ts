const AT_ONCE_MAX = 4

export type Called<T> =
  { readonly of: T; readonly is: 'done' } | { readonly of: T; readonly is: 'failed'; readonly error: unknown }

/** One call for each, a few at once; whatever becomes of one, the others are tried. Answers in the order given. */
export async function callEach<T>(
  all: readonly T[],
  call: (one: T) => Promise<void>,
  onProgress: (done: number) => void,
): Promise<Called<T>[]> {
  const results = new Map<T, Called<T>>()
  const waiting = [...all]
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      results.set(one, await outcome(one, call))
      onProgress(results.size)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE_MAX, all.length) }, work))
  return all.flatMap((one) => results.get(one) ?? [])
}

async function outcome<T>(one: T, call: (one: T) => Promise<void>): Promise<Called<T>> {
  try {
    await call(one)
    return { of: one, is: 'done' }
  } catch (error) {
    return { of: one, is: 'failed', error }
  }
}

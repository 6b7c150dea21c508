const AT_ONCE_MAX = 4

export interface Failed<T> {
  readonly of: T
  readonly error: unknown
}

/** Calls for each, a few at once; a failure does not stop the others. Answers the failures, in the order given. */
export async function callEach<T>(
  all: readonly T[],
  call: (one: T) => Promise<void>,
  onProgress: (done: number) => void,
): Promise<Failed<T>[]> {
  const errors = new Map<T, unknown>()
  const waiting = [...all]
  let done = 0
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const called = one
      await call(called).catch((error: unknown) => errors.set(called, error))
      done += 1
      onProgress(done)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE_MAX, all.length) }, work))
  return all.flatMap((of) => (errors.has(of) ? [{ of, error: errors.get(of) }] : []))
}

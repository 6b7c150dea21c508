import { ApiError, sayError } from '../../api/client.ts'

const AT_ONCE_MAX = 4

export type Deletion<T> =
  | { readonly of: T; readonly is: 'deleted' }
  | { readonly of: T; readonly is: 'coins-unknown' }
  | { readonly of: T; readonly is: 'failed'; readonly message: string }

/** One call for each, a few at once; whatever becomes of one, the others are tried. Answers in the order given. */
export async function deleteEach<T>(
  all: readonly T[],
  remove: (one: T) => Promise<void>,
  onProgress: (done: number) => void,
): Promise<Deletion<T>[]> {
  const results = new Map<T, Deletion<T>>()
  const waiting = [...all]
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      results.set(one, await outcome(one, remove))
      onProgress(results.size)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE_MAX, all.length) }, work))
  return all.flatMap((one) => results.get(one) ?? [])
}

async function outcome<T>(one: T, remove: (one: T) => Promise<void>): Promise<Deletion<T>> {
  try {
    await remove(one)
    return { of: one, is: 'deleted' }
  } catch (error) {
    // Somebody else was faster: what was wanted is so.
    if (error instanceof ApiError && error.status === 404) return { of: one, is: 'deleted' }
    if (error instanceof ApiError && error.code === 'order/coins-given-unknown') return { of: one, is: 'coins-unknown' }
    return { of: one, is: 'failed', message: sayError(error) }
  }
}

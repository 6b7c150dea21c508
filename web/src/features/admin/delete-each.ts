import { ApiError, sayError } from '../../api/client.ts'
import { callEach, type Called } from './call-each.ts'

export type Deletion<T> =
  | { readonly of: T; readonly is: 'deleted' }
  | { readonly of: T; readonly is: 'coins-unknown' }
  | { readonly of: T; readonly is: 'failed'; readonly message: string }

export async function deleteEach<T>(
  all: readonly T[],
  remove: (one: T) => Promise<void>,
  onProgress: (done: number) => void,
): Promise<Deletion<T>[]> {
  return (await callEach(all, remove, onProgress)).map(deletionOf)
}

function deletionOf<T>(called: Called<T>): Deletion<T> {
  const { of } = called
  if (called.is === 'done') return { of, is: 'deleted' }
  const { error } = called
  // Somebody else was faster: what was wanted is so.
  if (error instanceof ApiError && error.status === 404) return { of, is: 'deleted' }
  if (error instanceof ApiError && error.code === 'order/coins-given-unknown') return { of, is: 'coins-unknown' }
  return { of, is: 'failed', message: sayError(error) }
}

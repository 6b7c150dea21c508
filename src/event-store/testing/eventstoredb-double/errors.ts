import { status } from '@grpc/grpc-js'
import type { Metadata } from '@grpc/grpc-js'

/** An error as a call ends with it. */
export interface Answerable {
  readonly code: status
  readonly details: string
  readonly metadata?: Metadata
}

/** What the server answers of itself when it cannot do what is asked. */
export type Trouble = 'unavailable' | 'timeout' | Answerable

export function errorOf(trouble: Trouble): Answerable {
  if (trouble === 'unavailable') return { code: status.UNAVAILABLE, details: 'Server Is Not Ready' }
  if (trouble === 'timeout') return { code: status.ABORTED, details: 'Operation timed out' }
  return trouble
}

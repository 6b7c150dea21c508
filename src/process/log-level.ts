import { TryAgain } from '../ports/try-again.ts'

/** The watch reports an engine that is away; a view that is being built is no problem. */
export function levelOf(error: unknown, otherwise: 'warn' | 'error' = 'warn'): 'debug' | 'warn' | 'error' {
  return error instanceof TryAgain || (error instanceof Error && error.name === 'LimitsAway') ? 'debug' : otherwise
}

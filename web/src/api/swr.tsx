import type { ReactNode } from 'react'
import { useEffect } from 'react'
import type { SWRConfiguration, SWRResponse } from 'swr'
import useSWR, { SWRConfig } from 'swr'
import { get, isMissing } from './client.ts'

/** No retries, data never stale, no refetch on focus, no polling. */
const defaults = {
  fetcher: async (path: string) => get(path),
  shouldRetryOnError: false,
  revalidateIfStale: false,
  revalidateOnFocus: false,
  dedupingInterval: 1_000,
  // oxlint-disable-next-line no-console -- a failed request is logged as '{status}: {body}'
  onError: (error: unknown) => console.warn(error instanceof Error ? error.message : String(error)),
}

export function ApiCache({ children }: { children: ReactNode }) {
  return <SWRConfig value={defaults}>{children}</SWRConfig>
}

/**
 * Polls a resource; an interval of 0 reads it once. Unlike SWR, polling continues after an error, unless the resource
 * does not exist.
 */
export function usePolled<T>(
  key: string | null,
  everyMs: number,
  options: SWRConfiguration<T, unknown> = {},
): SWRResponse<T, unknown> {
  // Cached data is shown at once and revalidated.
  const response = useSWR<T, unknown>(key, { refreshInterval: everyMs, revalidateIfStale: true, ...options })
  const { error, mutate } = response
  const mayRecover = everyMs > 0 && error !== undefined && !isMissing(error)
  useEffect(() => {
    if (!mayRecover) return undefined
    const timer = setInterval(() => void mutate().catch(() => undefined), everyMs)
    return () => clearInterval(timer)
  }, [mayRecover, mutate, everyMs])
  return response
}

import type { AsOfState } from '#contract/as-of.ts'
import useSWR from 'swr'

const LOOK_MS = 1_000

/** Has the shop fold its log up to the end of a past day, and asks how far it is until it is ready. */
export function usePastDay(day: string) {
  return useSWR<AsOfState, unknown>(`/api/admin/as-of?at=${encodeURIComponent(day)}`, {
    refreshInterval: (state) => (state?.is === 'ready' ? 0 : LOOK_MS),
    dedupingInterval: 0,
    revalidateOnMount: true,
  })
}

import { useSyncExternalStore } from 'react'

/** Below this, ten columns are no table any more. */
const narrow = window.matchMedia('(max-width: 899px)')

export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener)
      return () => narrow.removeEventListener('change', listener)
    },
    () => narrow.matches,
  )
}

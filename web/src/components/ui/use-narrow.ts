import { useSyncExternalStore } from 'react'

const narrow = import.meta.env.SSR ? undefined : window.matchMedia('(width < 900px)')

/** Whether the window is too narrow for the columns of a staff list. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow?.addEventListener('change', listener)
      return () => narrow?.removeEventListener('change', listener)
    },
    () => narrow?.matches === true,
  )
}

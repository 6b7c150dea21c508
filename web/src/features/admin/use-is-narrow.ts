import { useSyncExternalStore } from 'react'

/** Narrower than this, lists are shown as cards. */
const narrow = window.matchMedia('(max-width: 899px)')

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow, isNarrow)
}

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

function isNarrow(): boolean {
  return narrow.matches
}

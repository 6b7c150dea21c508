import { createContext, useContext } from 'react'

export type Screen = 'Purchase' | 'Checkout' | 'Payment' | 'Confirm'

/** Fetches a screen's chunk ahead of the click. */
export const PreloadContext = createContext<(screen: Screen) => void>(() => undefined)

export function usePreload(screen: Screen) {
  const preload = useContext(PreloadContext)
  return { onPointerEnter: () => preload(screen), onFocus: () => preload(screen) }
}

export function usePreloadNow(): (screen: Screen) => void {
  return useContext(PreloadContext)
}

import { createContext, useContext } from 'react'

export type Screen = 'purchase' | 'checkout' | 'paymentMethod' | 'payment' | 'confirm'

/** Fetches a screen's chunk ahead of the click; main.tsx knows where each lies. */
export const PreloadContext = createContext<(screen: Screen) => void>(() => undefined)

export function usePreload(screen: Screen) {
  const preload = useContext(PreloadContext)
  return { onPointerEnter: () => preload(screen), onFocus: () => preload(screen) }
}

export function usePreloadNow(): (screen: Screen) => void {
  return useContext(PreloadContext)
}

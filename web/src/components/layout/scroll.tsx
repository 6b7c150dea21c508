import { useEffect } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom'

const SCROLL_DELAY_MS = 100

/** Scrolls a new screen to its top, or to the section of its hash. Back and Forward keep the browser's position. */
export function ScrollToPlace() {
  const { pathname, search, hash, key } = useLocation()
  const type = useNavigationType()
  useEffect(() => {
    if (hash === '') {
      if (type !== NavigationType.Pop) window.scrollTo(0, 0)
      return undefined
    }
    const timer = setTimeout(() => {
      const section = document.getElementById(hash.slice(1))
      section?.scrollIntoView({ behavior: prefersStillness() ? 'auto' : 'smooth' })
    }, SCROLL_DELAY_MS)
    return () => clearTimeout(timer)
  }, [pathname, search, hash, key, type])
  return null
}

function prefersStillness(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}

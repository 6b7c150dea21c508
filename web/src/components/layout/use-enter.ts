import { useEffect, useRef } from 'react'

/** Elements that handle Enter themselves. */
const ownEnter = 'a[href], button, summary, input, select, textarea, dialog, [contenteditable]'

/** Calls `advance` on Enter anywhere on the screen. Undefined while the step is not valid. */
export function useEnter(advance: (() => void) | undefined): void {
  const now = useRef(advance)
  useEffect(() => {
    now.current = advance
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isPlain = !event.repeat && !event.isComposing && !event.altKey && !event.ctrlKey && !event.metaKey
      if (event.key !== 'Enter' || !isPlain || event.defaultPrevented) return
      if (event.target instanceof Element && event.target.closest(ownEnter) !== null) return
      now.current?.()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

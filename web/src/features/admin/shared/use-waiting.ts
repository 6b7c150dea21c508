import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useAttention, useToDeliver, useUnplaced } from '../../../api/admin.ts'
import { count } from '../../../lib/format.ts'
import { remember, remembered } from '../../../lib/storage.ts'
import { store } from '../../../lib/store.ts'

const KEY = 'browser-notices'
const isTrue = (value: unknown): value is true => value === true
/** Phones show notifications by service workers only; a message reaches them by the ways of the shop. */
const isAvailable = !import.meta.env.SSR && 'Notification' in window && window.matchMedia('(pointer: fine)').matches
const wanted = store(!import.meta.env.SSR && remembered(KEY, isTrue) === true)

/** Whether this browser notifies staff. The browser asks for leave only when they turn it on. */
export function useBrowserNotices() {
  const isWanted = useSyncExternalStore(wanted.subscribe, wanted.get, () => false)
  const [isBlocked, setBlocked] = useState(false)
  const set = (isOn: boolean) => {
    remember(KEY, isOn)
    wanted.set(isOn)
  }
  const turn = async () => {
    if (isWanted) return set(false)
    const answer = await Notification.requestPermission()
    setBlocked(answer !== 'granted')
    if (answer === 'granted') set(true)
  }
  const isOn = isAvailable && isWanted && Notification.permission === 'granted'
  return { isAvailable, isOn, isBlocked, turn: () => void turn() }
}

/** What waits for staff now, in front of the title of their tab: `(3) `. Notifies staff who look elsewhere when it is more than before. */
export function useWaiting(): string {
  const toDeliver = useToDeliver().data?.total
  const attention = useAttention().data?.filtered
  const unplaced = useUnplaced().data?.total
  const isKnown = toDeliver !== undefined && attention !== undefined && unplaced !== undefined
  const waiting = isKnown ? toDeliver + attention + unplaced : undefined
  const { isOn } = useBrowserNotices()
  const known = useRef(waiting)
  useEffect(() => {
    const isMore = waiting !== undefined && known.current !== undefined && waiting > known.current
    known.current = waiting ?? known.current
    if (!isMore || !isOn || document.visibilityState === 'visible') return
    // With one tag, several tabs show one notification.
    const notice = new Notification(`${count(waiting)} waiting in the shop`, { tag: KEY })
    notice.addEventListener('click', () => {
      window.focus()
      notice.close()
    })
  }, [waiting, isOn])
  return waiting === undefined || waiting === 0 ? '' : `(${count(waiting)}) `
}

import { useEffect, useState } from 'react'
import { shopNow } from '../../api/client.ts'
import { duration, time } from '../../lib/format.ts'

/** Seconds left at which screen readers announce the deadline. */
const announcedAtS = [300, 60, 30]

interface DeadlineProps {
  until: string | null
  what: string
  /** The words after the time left. */
  left?: string
  /** Shown once the deadline has passed. */
  over?: string
}

/** A deadline by the server's clock, with a countdown in the last five minutes. */
export function Deadline({ until, what, left = 'left to pay', over = 'The time to pay is over.' }: DeadlineProps) {
  const now = useShopNow(1000)
  if (until === null) return null
  const leftS = Math.floor((Date.parse(until) - now) / 1000)
  const passed = announcedAtS.findLast((at) => leftS <= at)
  return (
    <p className="tabular-nums text-sm text-muted">
      {leftS <= 0
        ? over
        : leftS <= 300
          ? `${what} ${time(until)}: ${duration(leftS)} left.`
          : `${what} ${time(until)}.`}
      <span role="status" className="sr-only">
        {passed === undefined ? '' : leftS > 0 ? `Less than ${duration(passed)} ${left}.` : over}
      </span>
    </p>
  )
}

/** Whether a time has passed by the server's clock. */
export function useHasPassed(until: string | null): boolean {
  const now = useShopNow(1000)
  return until !== null && Date.parse(until) <= now
}

/** The time by the server's clock, updated at this interval. */
export function useShopNow(everyMs: number): number {
  const [now, setNow] = useState(shopNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(shopNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

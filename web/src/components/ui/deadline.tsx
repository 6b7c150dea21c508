import { useEffect, useState } from 'react'
import { shopNow } from '../../api/client.ts'
import { duration, time } from '../../lib/format.ts'

/** Seconds left at which screen readers are told. */
const announcedAtS = [300, 60, 30]

/** A time limit by the shop's clock; the last five minutes are counted down. */
export function Deadline({ until, what }: { until: string | null; what: string }) {
  const [now, setNow] = useState(shopNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(shopNow()), 1000)
    return () => clearInterval(timer)
  }, [])
  if (until === null) return null
  const leftS = Math.floor((Date.parse(until) - now) / 1000)
  const passed = announcedAtS.findLast((at) => leftS <= at)
  return (
    <p className="tabular text-sm text-muted">
      {leftS <= 0
        ? 'The time to pay is over.'
        : leftS <= 300
          ? `${what} ${time(until)}: ${duration(leftS)} left.`
          : `${what} ${time(until)}.`}
      <span role="status" className="sr-only">
        {leftS > 0 && passed !== undefined ? `Less than ${duration(passed)} left to pay.` : ''}
      </span>
    </p>
  )
}

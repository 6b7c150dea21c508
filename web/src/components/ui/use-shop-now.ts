import { useEffect, useState } from 'react'
import { shopNow } from '../../api/client.ts'

/** The time by the server's clock, updated at this interval. */
export function useShopNow(everyMs: number): number {
  const [now, setNow] = useState(shopNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(shopNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

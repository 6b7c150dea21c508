import { useEffect, useState } from 'react'
import { remember, remembered } from '../../lib/storage.ts'

const PIECES = 50
const LASTS_MS = 3_000
const shownKey = 'coinshop.celebrated'
const colours = ['bg-amber', 'bg-amber-edge', 'bg-green', 'bg-blue', 'bg-ink']

/** Shown once per order, and not if the user prefers reduced motion. */
export function Confetti({ orderId }: { orderId: string }) {
  const [isOn, setOn] = useState(
    () => !window.matchMedia('(prefers-reduced-motion: reduce)').matches && !isShownBefore(orderId),
  )
  useEffect(() => {
    remember(shownKey, orderId)
    const timer = setTimeout(() => setOn(false), LASTS_MS)
    return () => clearTimeout(timer)
  }, [orderId])
  if (!isOn) return null
  return (
    <div aria-hidden="true" data-confetti className="pointer-events-none fixed inset-0 z-30 overflow-hidden">
      {Array.from({ length: PIECES }, (_, index) => (
        <span
          key={index}
          className={`absolute -top-4 block animate-confetti ${index % 3 === 0 ? 'size-3 rounded-full' : 'h-3 w-2'} ${colours[index % colours.length]}`}
          style={{
            left: `${(index * 61) % 100}%`,
            animationDelay: `${(index * 37) % 900}ms`,
            rotate: `${(index * 47) % 360}deg`,
          }}
        />
      ))}
    </div>
  )
}

function isShownBefore(orderId: string): boolean {
  return remembered(shownKey, (value): value is string => value === orderId) !== undefined
}

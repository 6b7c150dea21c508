import { useId } from 'react'
import { Discs } from './coin.tsx'

const COINS_MAX = 15
const coin = { width: 168, thickness: 21, tilt: 26 }
const ground = 372
const centre = 130

const bottomOf = (index: number) => ground - index * coin.thickness
/** A small fixed horizontal offset per coin, so that the stack looks hand-made. */
const offsetOf = (index: number) => Math.round(2 * Math.sin(index * 2.4 + 0.6))

interface CoinStackProps {
  quantityM: number
  className?: string
  /** The drawing ends at the top coin, so that the stack stands level with what is beside it. */
  isCropped?: boolean
}

/** A stack whose height grows with the logarithm of the quantity, which is always shown as text beside it. */
export function CoinStack({ quantityM, className, isCropped = false }: CoinStackProps) {
  const side = useId()
  const coins = coinsFor(quantityM)
  const top = isCropped && coins > 0 ? bottomOf(coins) - coin.tilt - 2 : 0
  return (
    <svg viewBox={`24 ${top} 212 ${412 - top}`} className={className} aria-hidden="true" focusable="false">
      <linearGradient id={side}>
        <stop className="[stop-color:var(--color-amber-edge)]" />
        <stop offset="0.35" className="[stop-color:var(--color-amber)]" />
        <stop offset="1" className="[stop-color:color-mix(in_oklch,var(--color-amber-edge),black_18%)]" />
      </linearGradient>
      {coins > 0 && (
        <ellipse
          className="fill-ink opacity-10"
          cx={centre}
          cy={ground + 6}
          rx={coin.width / 2 + 18}
          ry={coin.tilt + 6}
        />
      )}
      {Array.from({ length: coins }, (_, index) => (
        <g
          key={index}
          className="animate-coin-drop [--enter-from:-28px]"
          style={{ animationDelay: `${Math.min(index, 12) * 24}ms` }}
        >
          <Slab x={centre + offsetOf(index)} bottom={bottomOf(index)} side={side} isTop={index === coins - 1} />
        </g>
      ))}
    </svg>
  )
}

function Slab({ x, bottom, side, isTop }: { x: number; bottom: number; side: string; isTop: boolean }) {
  const { thickness, tilt } = coin
  const r = coin.width / 2
  const top = bottom - thickness
  return (
    <>
      <path
        fill={`url(#${side})`}
        d={`M${x - r} ${top}v${thickness}a${r} ${tilt} 0 0 0 ${coin.width} 0v${-thickness}Z`}
      />
      <path className="stroke-on-amber opacity-35" strokeWidth="1" d={millings(x, top)} />
      <ellipse className="fill-amber stroke-amber-edge" strokeWidth="1.5" cx={x} cy={top} rx={r} ry={tilt} />
      {isTop && (
        <>
          <ellipse className="fill-amber-lit" cx={x} cy={top} rx={r - 14} ry={tilt - 5.5} />
          <g transform={`translate(${x} ${top}) scale(5.4 1.6) translate(-16 -16)`}>
            <Discs />
          </g>
        </>
      )}
    </>
  )
}

/** Notches along the visible rim, closer together towards its ends for perspective. */
function millings(x: number, top: number): string {
  const r = coin.width / 2
  return Array.from({ length: 21 }, (_, index) => {
    const angle = (Math.PI * (index + 1)) / 22
    const at = x - r * Math.cos(angle)
    const front = top + coin.tilt * Math.sin(angle)
    return `M${at.toFixed(1)} ${(front + 4).toFixed(1)}v${coin.thickness - 7}`
  }).join('')
}

/** A letter-sized stack for the line of a total. Its lower edge is that of the lowest coin. */
export function CoinGlyph({ quantityM, className = 'h-8 w-6' }: { quantityM: number; className?: string }) {
  const coins = Math.max(1, Math.round(coinsFor(quantityM) / 2))
  return (
    <svg viewBox="0 0 28 39" className={className} aria-hidden="true" focusable="false">
      {Array.from({ length: coins }, (_, index) => {
        const top = 31 - index * 3.5
        return (
          <g key={index}>
            <path
              className="fill-amber-edge stroke-on-amber"
              strokeWidth="0.75"
              d={`M2 ${top}v3.5a12 4 0 0 0 24 0v-3.5`}
            />
            <ellipse className="fill-amber stroke-amber-edge" cx="14" cy={top} rx="12" ry="4" />
          </g>
        )
      })}
    </svg>
  )
}

/** Three more coins for each factor of ten: 1M → 1, 10M → 4, 1,000M → 10, at most `COINS_MAX`. */
function coinsFor(quantityM: number): number {
  if (!(quantityM >= 1)) return 0
  return Math.min(COINS_MAX, 1 + Math.round(3 * Math.log10(quantityM)))
}

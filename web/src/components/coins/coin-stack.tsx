import { useId } from 'react'
import { Discs } from './coin.tsx'

const COINS_MAX = 15
const coin = { width: 168, thickness: 21, tilt: 26 }
const ground = 372
const centre = 130

const bottomOf = (index: number) => ground - index * coin.thickness
/** A small fixed horizontal offset per coin, so that the stack looks hand-made. */
const offsetOf = (index: number) => Math.round(2 * Math.sin(index * 2.4 + 0.6))

// A coin, from the centre of its face.
const radius = coin.width / 2
const rim = `M${-radius} 0v${coin.thickness}a${radius} ${coin.tilt} 0 0 0 ${coin.width} 0v${-coin.thickness}Z`
/** Notches along the visible rim, closer together towards its ends for perspective. */
const millings = Array.from({ length: 21 }, (_, index) => {
  const angle = (Math.PI * (index + 1)) / 22
  const [at, front] = [-radius * Math.cos(angle), coin.tilt * Math.sin(angle)]
  return `M${at.toFixed(1)} ${(front + 4).toFixed(1)}v${coin.thickness - 7}`
}).join('')

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
          <g transform={`translate(${centre + offsetOf(index)} ${bottomOf(index + 1)})`}>
            <path fill={`url(#${side})`} d={rim} />
            <path className="stroke-on-amber opacity-35" strokeWidth="1" d={millings} />
            <ellipse className="fill-amber stroke-amber-edge" strokeWidth="1.5" rx={radius} ry={coin.tilt} />
            {index === coins - 1 && (
              <>
                <ellipse className="fill-amber-lit" rx={radius - 14} ry={coin.tilt - 5.5} />
                <g transform="scale(5.4 1.6) translate(-16 -16)">
                  <Discs />
                </g>
              </>
            )}
          </g>
        </g>
      ))}
    </svg>
  )
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

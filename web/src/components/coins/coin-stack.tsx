import { coinsFor, COINS_MAX } from './stack-height.ts'

const coin = { width: 168, thickness: 21, tilt: 26 }
const ground = 372
const centre = 130
const marks = [1, 10, 100, 1_000, 10_000]

const bottomOf = (index: number) => ground - index * coin.thickness
/** A small fixed horizontal offset per coin, so that the stack looks hand-made. */
const offsetOf = (index: number) => Math.round(5 * Math.sin(index * 2.4 + 0.6))

/** A stack whose height follows the quantity, logarithmically. The same figure always stands beside it as text. */
export function CoinStack({
  quantityM,
  ruler = false,
  isCropped = false,
  className,
}: {
  quantityM: number
  ruler?: boolean
  /** No room is kept for taller stacks. */
  isCropped?: boolean
  className?: string
}) {
  const coins = coinsFor(quantityM)
  const top = isCropped ? Math.max(0, bottomOf(coins) - coin.tilt - 2) : 0
  return (
    <svg
      viewBox={ruler ? '0 0 344 412' : `24 ${top} 212 ${412 - top}`}
      className={className}
      aria-hidden="true"
      focusable="false"
    >
      <ellipse
        className="fill-ink opacity-10"
        cx={centre}
        cy={ground + 6}
        rx={coin.width / 2 + 18}
        ry={coin.tilt + 6}
      />
      {ruler && <Ruler coins={coins} />}
      {Array.from({ length: coins }, (_, index) => (
        <g key={index} className="animate-coin-drop" style={{ animationDelay: `${Math.min(index, 12) * 24}ms` }}>
          <Slab x={centre + offsetOf(index)} bottom={bottomOf(index)} isTop={index === coins - 1} />
        </g>
      ))}
    </svg>
  )
}

function Slab({ x, bottom, isTop }: { x: number; bottom: number; isTop: boolean }) {
  const { thickness, tilt } = coin
  const r = coin.width / 2
  const top = bottom - thickness
  return (
    <>
      <path
        className="fill-amber-edge"
        d={`M${x - r} ${top}v${thickness}a${r} ${tilt} 0 0 0 ${coin.width} 0v${-thickness}Z`}
      />
      <path className="stroke-on-amber opacity-25" strokeWidth="1.5" d={millings(x, top)} />
      <ellipse className="fill-amber stroke-amber-edge" strokeWidth="1.5" cx={x} cy={top} rx={r} ry={tilt} />
      {isTop && (
        <>
          <ellipse className="fill-amber-lit" cx={x} cy={top} rx={r - 14} ry={tilt - 5.5} />
          <path
            className="stroke-on-amber"
            fill="none"
            strokeWidth="7"
            strokeLinecap="round"
            strokeLinejoin="round"
            d="M-24 20v-40l24 22 24-22v40"
            transform={`translate(${x} ${top}) scale(1.05 .34)`}
          />
        </>
      )}
    </>
  )
}

/** Notches along the visible rim, closer together towards its ends: perspective. */
function millings(x: number, top: number): string {
  const r = coin.width / 2
  return Array.from({ length: 21 }, (_, index) => {
    const angle = (Math.PI * (index + 1)) / 22
    const at = x - r * Math.cos(angle)
    const front = top + coin.tilt * Math.sin(angle)
    return `M${at.toFixed(1)} ${(front + 4).toFixed(1)}v${coin.thickness - 7}`
  }).join('')
}

function Ruler({ coins }: { coins: number }) {
  return (
    <g className="stroke-edge" strokeWidth="1.5">
      <path d={`M252 ${ground}V${bottomOf(COINS_MAX)}`} />
      {Array.from({ length: COINS_MAX }, (_, index) => (
        <path key={index} d={`M252 ${bottomOf(index + 1)}h${index % 3 === 0 ? 14 : 7}`} />
      ))}
      {marks.map((mark, index) => (
        <text
          key={mark}
          x="272"
          y={bottomOf(index * 3 + 1) + 5}
          className="tabular fill-muted font-sans text-[15px]"
          stroke="none"
        >
          {mark.toLocaleString('en-US')}M
        </text>
      ))}
      {coins > 0 && <path className="fill-ink" stroke="none" d={`M250 ${bottomOf(coins)}l-10 -5.5v11Z`} />}
    </g>
  )
}

/** The stack as small as a letter, to stand on the line of a total: its lower edge is the lowest coin's. */
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

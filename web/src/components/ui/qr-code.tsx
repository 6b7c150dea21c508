import { encode } from 'uqr'

const QUIET_ZONE = 4

/** White in both themes, since cameras need the contrast. */
export function QrCode({ text, label, caption }: { text: string; label: string; caption?: string | undefined }) {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  const side = size + 2 * QUIET_ZONE
  return (
    <figure className="grid w-56 content-start gap-2">
      <svg
        role="img"
        aria-label={label}
        viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${side} ${side}`}
        className="size-56 rounded-surface border border-line bg-white"
        shapeRendering="crispEdges"
      >
        <path className="fill-black" d={path} />
      </svg>
      {caption !== undefined && <figcaption className="text-sm">{caption}</figcaption>}
    </figure>
  )
}

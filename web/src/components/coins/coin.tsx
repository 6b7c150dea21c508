/** The shop's logo: a coin with a notched edge that shows three discs. */
export function Coin() {
  return (
    <svg viewBox="0 0 32 32" className="size-8 flex-none" aria-hidden="true" focusable="false">
      <circle
        className="fill-amber stroke-amber-edge"
        strokeWidth="3"
        strokeDasharray="5.3 1.77"
        cx="16"
        cy="16"
        r="13.5"
      />
      <circle className="fill-amber" cx="16" cy="16" r="12" />
      <Discs />
    </svg>
  )
}

/** Three discs seen from the side, in the 32 units of the logo: at 16 px each edge is that of a pixel. */
export function Discs() {
  return (
    <path className="fill-none stroke-on-amber" strokeWidth="4" strokeLinecap="round" d="M13 10h8M10 16h8M13 22h8" />
  )
}

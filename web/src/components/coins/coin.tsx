/** The shop's logo: one coin with a notched edge. */
export function Coin() {
  return (
    <svg viewBox="0 0 32 32" className="size-8 flex-none" aria-hidden="true" focusable="false">
      <path className="fill-amber-edge" d="M16 1a15 15 0 0 1 13.2 7.9l-2.9 2 3.9.5A15 15 0 1 1 16 1Z" />
      <circle className="fill-amber" cx="16" cy="16" r="11.5" />
      <path
        className="stroke-on-amber"
        fill="none"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M10.5 20.5v-9l5.5 5.5 5.5-5.5v9"
      />
    </svg>
  )
}

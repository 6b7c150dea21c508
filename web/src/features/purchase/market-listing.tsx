import { count, millions } from '../../lib/format.ts'
import { policy } from '../../claims.ts'
import type { MarketIdPlace } from './draft.ts'

const COINS_PER_MILLION = 1_000_000

/** What a market ID is, and how to get one: what to list, at what price, for how long. */
export function MarketListing({ places }: { places: readonly MarketIdPlace[] }) {
  const [first] = places
  if (first === undefined) return null
  const price = count(first.amountM * COINS_PER_MILLION)
  return (
    <div className="grid gap-3 rounded-surface border border-line bg-surface p-4">
      <h2 className="text-lg">How to get a market ID</h2>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <ol className="grid min-w-0 flex-[1_1_16rem] list-decimal gap-1.5 pl-5">
          {places.length === 1 ? (
            <li>
              List anything that you can spare on the game’s market for <strong>{price}</strong> coins.
            </li>
          ) : (
            <li>
              Make {count(places.length)} listings on the game’s market, each for the coins of its share:{' '}
              <strong>{price}</strong> for {millions(first.amountM)}.
            </li>
          )}
          <li>The market gives each listing a number of 8 digits: its market ID.</li>
          <li>{policy.keepListing}</li>
        </ol>
        <Listing price={price} />
      </div>
    </div>
  )
}

/** A drawing of a listing, with its market ID marked. */
function Listing({ price }: { price: string }) {
  return (
    <svg viewBox="0 0 220 84" className="h-21 w-55 flex-none" aria-hidden="true" focusable="false">
      <rect x="1" y="1" width="218" height="82" rx="10" className="fill-paper stroke-edge" />
      <rect x="12" y="14" width="40" height="56" rx="6" className="fill-sunk stroke-line" />
      <circle cx="32" cy="42" r="11" className="fill-amber stroke-amber-edge" />
      <text x="64" y="26" className="fill-muted text-[11px]">
        Your listing
      </text>
      <text x="64" y="46" className="fill-ink text-[14px] font-semibold">
        {price} coins
      </text>
      <rect x="62" y="54" width="112" height="20" rx="5" className="fill-amber-soft stroke-amber-edge" />
      <text x="70" y="68" className="fill-ink font-mono text-[12px]">
        ID 12345678
      </text>
    </svg>
  )
}

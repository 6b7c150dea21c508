import { ChevronUp } from 'lucide-react'
import { useState } from 'react'
import { quote } from '#pricing'
import type { Offer } from '../../api/offer.ts'
import { CoinGlyph, CoinStack } from '../../components/coins/coin-stack.tsx'
import { Figure, Line } from '../../components/ui/figure.tsx'
import { inrOf, millions, unitUsd, usd } from '../../lib/format.ts'
import type { Draft } from './draft.ts'
import { quantityOf } from './draft.ts'

interface SummaryProps {
  draft: Draft
  offer: Offer | undefined
}

/** The running summary: a slip beside the question, on phones a bar below that opens. */
export function Summary({ draft, offer }: SummaryProps) {
  const [isOpen, setOpen] = useState(false)
  const quantityM = quantityOf(draft)
  const priced = offer === undefined || Number.isNaN(quantityM) ? undefined : quote(offer, quantityM)
  const inFirst = (cents: number, inrPerUsd: number) => (draft.shownIn === 'USD' ? usd(cents) : inrOf(cents, inrPerUsd))
  const inSecond = (cents: number, inrPerUsd: number) =>
    draft.shownIn === 'USD' ? inrOf(cents, inrPerUsd) : usd(cents)
  const total = priced && offer ? inFirst(priced.totalCents, offer.inrPerUsd) : '–'
  const slip = (
    <dl className="px-5 py-4">
      <Line label="Coins">{priced ? millions(quantityM) : '–'}</Line>
      <Line label="Price per 1M">{offer ? unitUsd(offer.unitPriceTenThousandths) : '–'}</Line>
      <Line label="Pack discount">{priced ? `${priced.discountPercent}%` : '–'}</Line>
      <div className="mt-2 flex items-end justify-between gap-4 border-t border-line pt-3">
        <dt className="font-medium">Total</dt>
        <dd className="text-right">
          <Figure className="text-2xl">{total}</Figure>
          {priced && offer && (
            <span className="tabular block text-sm text-muted">{inSecond(priced.totalCents, offer.inrPerUsd)}</span>
          )}
        </dd>
      </div>
    </dl>
  )
  return (
    <>
      <aside aria-label="Your order" className="hidden lg:block">
        <div className="sticky top-28 overflow-hidden rounded-surface border border-line bg-surface">
          <div className="grid place-items-center bg-sunk px-5 pt-2">
            <CoinStack quantityM={quantityM} ruler className="h-80" />
          </div>
          <div aria-hidden="true" className="milled h-1.5 text-line" />
          {slip}
          <p className="border-t border-line px-5 py-3 text-sm text-muted">
            PayPal adds $0.40. Crypto and UPI pay the plain total.
          </p>
        </div>
      </aside>
      <section
        aria-label="Your order"
        className="sticky bottom-0 z-30 -mx-4 border-t border-edge bg-surface sm:-mx-6 lg:hidden"
      >
        {isOpen && <div id="order-slip">{slip}</div>}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? 'order-slip' : undefined}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-14 w-full items-center gap-3 px-4 text-left sm:px-6"
        >
          <CoinGlyph quantityM={quantityM} />
          <span className="flex-1">{priced ? millions(quantityM) : 'No coins yet'}</span>
          <Figure className="text-xl">{total}</Figure>
          <ChevronUp aria-hidden="true" className={`size-5 transition-transform ${isOpen ? 'rotate-180' : ''}`} />
          <span className="sr-only">{isOpen ? 'Hide the order' : 'Show the order'}</span>
        </button>
      </section>
    </>
  )
}

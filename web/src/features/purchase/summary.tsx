import ChevronUp from 'lucide:chevron-up'
import { useState } from 'react'
import { quote } from '#pricing'
import { type Offer, savedPercent } from '../../api/offer.ts'
import { CoinGlyph } from '../../components/coins/coin-stack.tsx'
import { Figure, Line } from '../../components/ui/figure.tsx'
import { inrOf, millions, unitInr, unitUsd, usd } from '../../lib/format.ts'
import { feeSentence } from '../../method-words.ts'
import { type Draft, quantityOf } from './draft.ts'

interface SummaryProps {
  draft: Draft
  offer: Offer | undefined
}

/** The running summary beside the question. */
export function Summary({ draft, offer }: SummaryProps) {
  return (
    <aside aria-label="Your order" className="hidden lg:block">
      <div className="sticky top-28 overflow-hidden rounded-surface border border-line bg-surface">
        <div className="px-5 py-4">
          <Slip draft={draft} offer={offer} />
        </div>
        <p className="border-t border-line px-5 py-3 text-sm text-muted">{feeSentence(offer?.methods)}</p>
      </div>
    </aside>
  )
}

/** The summary on phones: one line above the button, which expands. */
export function SummaryBar({ draft, offer }: SummaryProps) {
  const [isOpen, setOpen] = useState(false)
  const { quantityM, total } = pricesOf(draft, offer)
  return (
    <section aria-label="Your order" className="lg:hidden">
      {isOpen && (
        <div id="order-slip" className="pt-3">
          <Slip draft={draft} offer={offer} />
        </div>
      )}
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? 'order-slip' : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-14 w-full flex-wrap items-center gap-x-3 text-left"
      >
        <span className="flex flex-1 items-baseline gap-x-3">
          <CoinGlyph quantityM={quantityM} className="-mt-3 h-7 w-5 flex-none" />
          <span className="flex-1">
            {isOpen ? 'Your order' : Number.isNaN(quantityM) ? 'No coins yet' : millions(quantityM)}
          </span>
          {!isOpen && <Figure className="text-xl">{total}</Figure>}
        </span>
        <ChevronUp className={`size-5 transition-transform ${isOpen ? 'rotate-180' : ''}`} />
        <span className="sr-only">{isOpen ? 'Hide the order' : 'Show the order'}</span>
      </button>
    </section>
  )
}

function Slip({ draft, offer }: SummaryProps) {
  const { quantityM, discountPercent, unit, total, otherTotal } = pricesOf(draft, offer)
  return (
    <dl>
      <Line label="Coins">{Number.isNaN(quantityM) ? '–' : millions(quantityM)}</Line>
      <Line label="Price per 1M">{unit}</Line>
      <Line label="Pack discount">{discountPercent === undefined ? '–' : `${discountPercent}%`}</Line>
      <div className="mt-2 flex items-baseline justify-between gap-4 border-t border-line pt-3">
        <dt className="flex items-baseline gap-2.5 font-semibold">
          <CoinGlyph quantityM={quantityM} className="h-10 w-7 flex-none" />
          Total
        </dt>
        <dd className="text-right">
          <Figure className="text-2xl">{total}</Figure>
          <span className="tabular-nums block min-h-5 text-sm text-muted">{otherTotal}</span>
        </dd>
      </div>
    </dl>
  )
}

/** Prices in the currency that the buyer chose, and the total in the other one. */
function pricesOf(draft: Draft, offer: Offer | undefined) {
  const quantityM = quantityOf(draft)
  if (offer === undefined) return { quantityM, discountPercent: undefined, unit: '–', total: '–', otherTotal: '' }
  const isInDollars = draft.shownIn === 'USD'
  const { unitPriceTenThousandths, inrPerUsd } = offer
  const unit = isInDollars ? unitUsd(unitPriceTenThousandths) : unitInr(unitPriceTenThousandths, inrPerUsd)
  if (Number.isNaN(quantityM)) return { quantityM, discountPercent: undefined, unit, total: '–', otherTotal: '' }
  const { totalCents } = quote(offer, quantityM)
  const discountPercent = savedPercent(offer, quantityM)
  const [dollars, rupees] = [usd(totalCents), inrOf(totalCents, inrPerUsd)]
  const [total, otherTotal] = isInDollars ? [dollars, rupees] : [rupees, dollars]
  return { quantityM, discountPercent, unit, total, otherTotal }
}

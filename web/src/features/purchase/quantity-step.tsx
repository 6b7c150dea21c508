import { useEffect, useLayoutEffect, useRef } from 'react'
import { marketIdCount, PER_MARKET_ID_MAX_M, quote } from '#pricing'
import { canBuy, type Offer, savedPercent } from '../../api/offer.ts'
import { claims } from '../../claims.ts'
import { Field, messageFor } from '../../components/ui/field.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { Skeleton } from '../../components/ui/loaded.tsx'
import { OfferNotice } from '../../components/ui/offer-notice.tsx'
import { toast } from '../../components/ui/use-action.ts'
import { count, inrOf, millions, usd } from '../../lib/format.ts'
import { changeDraft, currentDraft, type Draft, quantityOf } from './draft.ts'
import { onlyInStock } from './draft-problems.ts'
import type { QuestionProps } from './step-form.tsx'

export function toastInsufficientStock(offer: Pick<Offer, 'stockM' | 'coins'>): void {
  toast('Insufficient Stock', onlyInStock(offer), { destructive: true })
}

export function QuantityStep({ draft, offer, problems }: QuestionProps & { offer: Offer | undefined }) {
  useEarlyTyping()
  const quantityM = quantityOf(draft)
  const isTooMuch = offer !== undefined && quantityM > offer.stockM && !offer.takesPreOrders
  useStockToast(isTooMuch ? offer : undefined)
  // If there is no stock at all, `OfferNotice` says the same.
  const isPreOrder = offer !== undefined && offer.stockM > 0 && quantityM > offer.stockM && offer.takesPreOrders
  return (
    <div className="grid gap-6">
      {offer && <OfferNotice offer={offer} />}
      <Field
        id="quantity"
        label="Millions of coins"
        hint={
          offer === undefined ? (
            <Skeleton className="h-5 w-40" />
          ) : (
            `A whole number, at least 1. In stock: ${millions(offer.stockM)}`
          )
        }
        error={messageFor(problems, 'quantity') ?? (isTooMuch ? onlyInStock(offer) : undefined)}
        unit="M"
        inputMode="numeric"
        autoComplete="off"
        inputClassName="figure min-h-18 text-3xl"
        value={draft.quantity}
        onChange={(event) => changeDraft({ quantity: event.target.value })}
      />
      <ManyMarketIds quantityM={quantityM} />
      {isPreOrder && (
        <Notice tone="wait" title="This is a pre-order">
          {`There are ${millions(offer.stockM)} in stock now. You pay today; the coins are delivered within ${claims.preOrder}.`}
        </Notice>
      )}
      <fieldset>
        <legend className="mb-2 font-semibold">Or take a pack</legend>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(min(8rem,100%),1fr))] gap-3 md:grid-cols-3">
          {offer === undefined
            ? Array.from({ length: 6 }, (_, index) => <Skeleton key={index} className="h-24 w-full" />)
            : offer.packs.map(({ amountM }, index) => (
                <PackKey
                  // Two packs may have the same amount.
                  key={`${index}-${amountM}`}
                  amountM={amountM}
                  offer={offer}
                  shownIn={draft.shownIn}
                  isChosen={amountM === quantityM}
                  onChoose={() => changeDraft({ quantity: String(amountM) })}
                />
              ))}
        </div>
      </fieldset>
    </div>
  )
}

/** Keeps what was typed into the frame, before the scripts had loaded. */
function useEarlyTyping(): void {
  useLayoutEffect(() => {
    const typed = document.querySelector<HTMLInputElement>('#quantity')?.value ?? ''
    if (typed !== '' && typed !== currentDraft().quantity) changeDraft({ quantity: typed })
  }, [])
}

/** Warns early that a large order needs several market IDs. */
function ManyMarketIds({ quantityM }: { quantityM: number }) {
  const needed = Number.isNaN(quantityM) ? 1 : marketIdCount(quantityM)
  if (needed === 1) return null
  return (
    <p className="text-sm text-muted">
      This order takes {count(needed)} market IDs: a listing takes at most {millions(PER_MARKET_ID_MAX_M)}.
    </p>
  )
}

/** Shows the toast once until the stock suffices again. The field keeps showing the problem. */
function useStockToast(offer: Offer | undefined): void {
  const isSaid = useRef(false)
  useEffect(() => {
    if (offer !== undefined && !isSaid.current) toastInsufficientStock(offer)
    isSaid.current = offer !== undefined
  }, [offer])
}

export function ShownIn({ value }: { value: Draft['shownIn'] }) {
  return (
    <fieldset className="flex items-center gap-3">
      <legend className="sr-only">Show prices in</legend>
      <div className="inline-flex rounded-control border border-edge bg-surface p-0.5">
        {(['USD', 'INR'] as const).map((currency) => (
          <label
            key={currency}
            className="flex min-h-11 cursor-pointer items-center rounded-[8px] px-4 font-medium has-checked:bg-ink has-checked:text-paper has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-blue"
          >
            <input
              type="radio"
              name="shown-in"
              className="sr-only"
              checked={value === currency}
              onChange={() => changeDraft({ shownIn: currency })}
            />
            {currency}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface PackKeyProps {
  amountM: number
  offer: Offer
  shownIn: Draft['shownIn']
  isChosen: boolean
  onChoose: () => void
}

function PackKey({ amountM, offer, shownIn, isChosen, onChoose }: PackKeyProps) {
  const { totalCents } = quote(offer, amountM)
  const saved = savedPercent(offer, amountM)
  const isOut = !canBuy(offer, amountM)
  return (
    <button
      type="button"
      disabled={isOut}
      aria-pressed={isChosen}
      onClick={onChoose}
      className="grid min-h-24 content-center gap-0.5 rounded-surface border border-edge bg-surface px-4 py-3 text-left hover:bg-sunk disabled:cursor-not-allowed disabled:border-dashed disabled:bg-transparent aria-pressed:border-ink aria-pressed:bg-amber-soft aria-pressed:ring-1 aria-pressed:ring-ink"
    >
      <span className="figure text-xl">{millions(amountM)}</span>
      <span className="tabular-nums">{shownIn === 'USD' ? usd(totalCents) : inrOf(totalCents, offer.inrPerUsd)}</span>
      <span className="text-sm text-muted">
        {isOut ? 'Out of Stock' : saved > 0 ? `save ${saved}%` : 'no discount'}
      </span>
    </button>
  )
}

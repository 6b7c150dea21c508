import { type ReactNode, useEffect } from 'react'
import { Navigate, useNavigate, useSearchParams } from 'react-router-dom'
import { centsToText } from '#money'
import { quote } from '#pricing'
import { canBuy, isClosed, type Offer, useOffer } from '../api/offer.ts'
import { useUpdates } from '../api/updates.ts'
import { Page } from '../components/layout/page.tsx'
import { ButtonLink } from '../components/ui/button.tsx'
import { LoadError, StaleNote } from '../components/ui/loaded.tsx'
import { Notice } from '../components/ui/notice.tsx'
import { OfferNotice } from '../components/ui/offer-notice.tsx'
import { OwnOrders } from '../features/order/own-orders.tsx'
import { CustomerStep, useLikelyEmail } from '../features/purchase/customer-step.tsx'
import {
  customerProblems,
  furthestStep,
  marketIdProblems,
  onlyInStock,
  quantityProblems,
} from '../features/purchase/draft-problems.ts'
import { changeDraft, type Draft, quantityOf, startNewDraft, useDraft } from '../features/purchase/draft.ts'
import { MarketIdStep } from '../features/purchase/market-id-step.tsx'
import { PriceChanged, UnpaidDialog } from '../features/purchase/unpaid-dialog.tsx'
import { QuantityStep, ShownIn, toastInsufficientStock } from '../features/purchase/quantity-step.tsx'
import { StepForm } from '../features/purchase/step-form.tsx'
import { Summary, SummaryBar } from '../features/purchase/summary.tsx'
import { usePlacing } from '../features/purchase/use-placing.ts'

export function Purchase() {
  const [query] = useSearchParams()
  const draft = useDraft()
  const { offer, error, retry } = useOffer()
  useUpdates(['pricing', 'settings'])

  const wantedQuantity = query.get('quantity')
  const isNew = query.has('new')
  useEffect(() => {
    if (isNew) startNewDraft()
    if (wantedQuantity !== null) changeDraft({ quantity: wantedQuantity })
  }, [wantedQuantity, isNew])
  if (wantedQuantity !== null || isNew) return <Navigate to="/purchase" replace />

  const wantedStep = Number(query.get('step') ?? '1')
  const step = ([1, 2, 3] as const).find((one) => one === wantedStep) ?? 1
  const furthest = furthestStep(draft)
  if (step > furthest) return <Navigate to={addressOf(furthest)} replace />

  return (
    <Page>
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid content-start gap-4">
          {step === 1 && <OwnOrders />}
          {offer === undefined && error !== undefined && (
            <LoadError title="Price and stock could not be loaded" error={error} onRetry={retry} />
          )}
          {step > 1 && offer?.methods.length === 0 && <OfferNotice offer={offer} />}
          {step > 1 && offer !== undefined && !canBuy(offer, quantityOf(draft)) && (
            <Notice tone="bad" title="Insufficient Stock" role="alert">
              <p>{onlyInStock(offer)}. What you typed is kept.</p>
              <p>
                <ButtonLink to="/purchase">Change the quantity</ButtonLink>
              </p>
            </Notice>
          )}
          <Step key={step} step={step} draft={draft} offer={offer} />
          <StaleNote error={offer === undefined ? undefined : error} />
        </div>
        <Summary draft={draft} offer={offer} />
      </div>
    </Page>
  )
}

function addressOf(step: number): string {
  return step === 1 ? '/purchase' : `/purchase?step=${step}`
}

function CustomerQuestion({ draft, bar }: { draft: Draft; bar: ReactNode }) {
  const navigate = useNavigate()
  const likelyEmail = useLikelyEmail(draft.customerEmail)
  return (
    <StepForm
      step={2}
      bar={bar}
      heading="Who are they for?"
      backTo={addressOf(1)}
      problems={customerProblems(draft)}
      onContinue={() => {
        if (!likelyEmail.ask()) void navigate(addressOf(3))
      }}
    >
      {(problems) => (
        <>
          {likelyEmail.question}
          <CustomerStep draft={draft} problems={problems} />
        </>
      )}
    </StepForm>
  )
}

interface StepProps {
  step: 1 | 2 | 3
  draft: Draft
  offer: Offer | undefined
}

function Step({ step, draft, offer }: StepProps) {
  const navigate = useNavigate()
  const { place, priceChange, unpaid, forgetUnpaid } = usePlacing()
  const bar = <SummaryBar draft={draft} offer={offer} />
  const totalNow = offer === undefined ? null : centsToText(quote(offer, quantityOf(draft)).totalCents)

  if (step === 1) {
    return (
      <StepForm
        step={1}
        bar={bar}
        heading="How many coins?"
        backTo="/"
        aside={<ShownIn value={draft.shownIn} />}
        isLoading={offer === undefined}
        isClosed={offer !== undefined && isClosed(offer)}
        problems={quantityProblems(draft, offer)}
        onRefused={() => {
          if (offer !== undefined && quantityOf(draft) > offer.stockM) toastInsufficientStock(offer)
        }}
        onContinue={() => {
          changeDraft({ agreedTotal: totalNow })
          void navigate(addressOf(2))
        }}
      >
        {(problems) => <QuantityStep draft={draft} offer={offer} problems={problems} />}
      </StepForm>
    )
  }
  if (step === 2) return <CustomerQuestion draft={draft} bar={bar} />
  const hasMoved = totalNow !== null && draft.agreedTotal !== null && totalNow !== draft.agreedTotal
  const change = priceChange ?? (hasMoved && totalNow !== null ? { was: draft.agreedTotal, now: totalNow } : undefined)
  const agreed = change?.now ?? totalNow ?? ''
  return (
    <StepForm
      step={3}
      bar={bar}
      heading="Where do they go?"
      backTo={addressOf(2)}
      isLoading={totalNow === null}
      pending={place.isBusy && 'Placing your order…'}
      label={change === undefined ? 'Continue' : `Continue at $${change.now}`}
      problems={marketIdProblems(draft)}
      onContinue={() => place.run(agreed)}
    >
      {(problems) => (
        <>
          {unpaid !== undefined && (
            <UnpaidDialog
              order={unpaid}
              isBusy={place.isBusy}
              onChoose={(choice) => place.run(agreed, choice)}
              onClose={forgetUnpaid}
            />
          )}
          <MarketIdStep draft={draft} problems={problems} />
          {change !== undefined && <PriceChanged was={change.was} now={change.now} />}
          {place.problem !== undefined && (
            <Notice tone="bad" title="Your order was not placed" role="alert">
              {place.problem}
            </Notice>
          )}
        </>
      )}
    </StepForm>
  )
}

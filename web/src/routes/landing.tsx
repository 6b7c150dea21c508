import ArrowDown from 'lucide:arrow-down'
import { isClosed, type Offer, useOffer } from '../api/offer.ts'
import { SETTINGS_ON_LANDING_EVERY_MS } from '../api/settings.ts'
import { useSold } from '../api/shop.ts'
import { useUpdates } from '../api/updates.ts'
import { claims } from '../claims.ts'
import { CoinStack } from '../components/coins/coin-stack.tsx'
import { PageHeading } from '../components/layout/page.tsx'
import { ButtonLink } from '../components/ui/button.tsx'
import { LoadError, Skeleton, StaleNote } from '../components/ui/loaded.tsx'
import { OfferNotice } from '../components/ui/offer-notice.tsx'
import { PackTable } from '../features/landing/pack-table.tsx'
import { Process, Questions, Section, WhyUs } from '../features/landing/sections.tsx'
import { OwnOrders } from '../features/order/own-orders.tsx'
import { anyMethod } from '../method-words.ts'
import type { ReactNode } from 'react'
import { Figure } from '../components/ui/figure.tsx'
import { millions, unitInr, unitUsd } from '../lib/format.ts'

export function Landing() {
  const { offer, error, retry } = useOffer(SETTINGS_ON_LANDING_EVERY_MS)
  useUpdates(['pricing', 'settings', 'products'])
  const { offer: offerLine } = useSold()
  const isUnreachable = offer === undefined && error !== undefined
  const takesNone = offer !== undefined && isClosed(offer)
  const rest =
    offer?.methods.length === 0 ? ' and where they go' : `, where they go, and pay by ${anyMethod(offer?.methods)}`
  return (
    <>
      <section
        id="home"
        aria-label="Price and stock"
        className="mx-auto w-full max-w-page scroll-mt-20 px-4 pt-[3rem] pb-12 sm:px-6 sm:pt-16"
      >
        <div className="grid items-center gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)]">
          <div className="grid gap-6">
            <p className="-mb-3 font-semibold">{offerLine}.</p>
            <PageHeading title="In-game coins" className="text-3xl sm:text-4xl">
              {/* Animated by CSS, so that it starts with the first paint. */}
              <span className="typed">{claims.headline}</span>
            </PageHeading>
            <p className="max-w-[44ch] text-lg text-muted">Say how many millions you need{rest}. No account.</p>
            {isUnreachable ? (
              <LoadError title="Price and stock could not be loaded" error={error} onRetry={retry} />
            ) : (
              <PriceBoard offer={offer} />
            )}
            {offer && <OfferNotice offer={offer} />}
            <div className="flex flex-wrap gap-3">
              {!takesNone && (
                <ButtonLink to="/purchase" kind="primary" size="large" className="max-sm:w-full">
                  {offer?.stockM === 0 ? 'Pre-order coins' : 'Buy coins'}
                </ButtonLink>
              )}
              <ButtonLink to="/#process" kind={takesNone ? 'plain' : 'quiet'} size="large" className="max-sm:w-full">
                How it Works
                <ArrowDown />
              </ButtonLink>
            </div>
            <OwnOrders />
            <StaleNote error={offer === undefined ? undefined : error} />
          </div>
          <div className="hidden justify-items-center self-start sm:grid lg:pt-11">
            <CoinStack quantityM={offer?.stockM ?? 0} className="w-40 lg:w-52" isCropped />
          </div>
        </div>
      </section>
      {!isUnreachable && (
        <Section heading="The more you take, the less each costs">
          <PackTable offer={offer} />
        </Section>
      )}
      <Process methods={offer?.methods} />
      <WhyUs />
      <Questions methods={offer?.methods} />
    </>
  )
}

/** Longer figures would overflow half a phone's width. */
const LARGE_MAX = 8

/** Price and stock in large figures. */
function PriceBoard({ offer }: { offer: Offer | undefined }) {
  return (
    <dl className="flex flex-wrap justify-between gap-x-4 gap-y-3 border-y border-line py-5 sm:grid sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(calc((100%-3rem)/3),auto)] sm:gap-x-6">
      <Cell label="USD per 1M">{offer && unitUsd(offer.unitPriceTenThousandths)}</Cell>
      <Cell label="INR per 1M">{offer && unitInr(offer.unitPriceTenThousandths, offer.inrPerUsd)}</Cell>
      <Cell label="In stock">{offer && millions(offer.stockM)}</Cell>
    </dl>
  )
}

function Cell({ label, children }: { label: ReactNode; children: string | undefined }) {
  const size = (children?.length ?? 0) > LARGE_MAX ? 'text-lg sm:text-3xl' : 'text-2xl sm:text-3xl'
  return (
    <div className="flex flex-col-reverse justify-end gap-1">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className={`flex h-11 items-end whitespace-nowrap ${size}`}>
        {children === undefined ? <Skeleton className="mt-1 h-9 w-20" /> : <Figure>{children}</Figure>}
      </dd>
    </div>
  )
}

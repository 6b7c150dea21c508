import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { SWRConfig } from 'swr'
import { expect, it } from 'vitest'
import { type Offer, savedPercent, useOffer } from './offer.ts'

it('says what a pack saves once its price is rounded to cents', () => {
  const packs = [
    { amountM: 10, discountPercent: 5 },
    { amountM: 50, discountPercent: 10 },
  ]
  // 10M cost $0.50, and with 5% off $0.475: $0.48.
  expect([1, 10, 50].map((quantityM) => savedPercent({ unitPriceTenThousandths: 500, packs }, quantityM))).toEqual([
    0, 4, 10,
  ])
  expect(savedPercent({ unitPriceTenThousandths: 0, packs }, 10)).toBe(0)
})

/** The price of a million in the offer, where pricing says this one. */
const offered = (pokecoinPriceUSDPerMillion: number) => {
  const known: Record<string, unknown> = {
    '/api/pricing': { data: { pokecoinPriceUSDPerMillion, inrPerUsd: 86.5 } },
    '/api/payment-settings': { data: { basePricePerMillion: 0.05, bulkDiscountPercent: 10 } },
  }
  const cache = {
    get: (key: string) => known[key],
    set: () => undefined,
    delete: () => undefined,
    keys: () => [].values(),
  }
  let offer: Offer | undefined
  const Shown = () => {
    offer = useOffer().offer
    return null
  }
  renderToString(createElement(SWRConfig, { value: { provider: () => cache as never } }, createElement(Shown)))
  return offer?.unitPriceTenThousandths
}

it('takes a price only where it is above 0, and else the one of the settings', () => {
  expect([0, -1, 0.06].map(offered)).toEqual([450, 450, 600])
})

import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { SWRConfig } from 'swr'
import { expect, it } from 'vitest'
import { type Offer, savedPercent, useOffer } from './offer.ts'

it('a pack saves its discount, unless rounding to cents leaves nothing of it', () => {
  const packs = [
    { amountM: 2, discountPercent: 4 },
    { amountM: 10, discountPercent: 5 },
    { amountM: 50, discountPercent: 10 },
  ]
  // 2M cost $0.10 with and without 4% off; 10M cost $0.50, and with 5% off $0.475: $0.48.
  expect([1, 2, 10, 50].map((quantityM) => savedPercent({ unitPriceTenThousandths: 500, packs }, quantityM))).toEqual([
    0, 0, 5, 10,
  ])
  expect(savedPercent({ unitPriceTenThousandths: 0, packs }, 10)).toBe(0)
})

/** The offer's price of a million for this current price. */
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

it('the offer takes the price of the settings if the current price is not above 0', () => {
  expect([0, -1, 0.06].map(offered)).toEqual([450, 450, 600])
})

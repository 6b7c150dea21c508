import { unitPrice } from '../../domain/pricing.ts'
import type { Api } from '../api.ts'
import { pricing } from '../contract/pricing.ts'
import { type Route, route } from '../http/route.ts'

export function pricingRoutes({ shop }: Api): Route[] {
  return [
    route({
      id: 'getPricing',
      method: 'get',
      path: '/api/pricing',
      summary: 'The current price of one million coins.',
      answers: pricing,
      reads: 'hot-states',
      async handle() {
        const pokecoinPriceUSDPerMillion = unitPrice(shop.hot.currentSettings()) / 10_000
        return { body: { pokecoinPriceUSDPerMillion, inrPerUsd: shop.terms.paisePerUsd / 100 } }
      },
    }),
  ]
}

import { unitPrice } from '../../domain/pricing.ts'
import type { Api } from '../api.ts'
import { pricing } from '../contract/pricing.ts'
import { type Route, route } from '../http/route.ts'

export function pricingRoutes({ context }: Api): Route[] {
  return [
    route({
      id: 'getPricing',
      method: 'get',
      path: '/api/pricing',
      summary: 'The current price of one million coins.',
      answers: pricing,
      reads: 'hot-states',
      async handle() {
        const pokecoinPriceUSDPerMillion = unitPrice(context.hot.currentSettings()) / 10_000
        return { body: { pokecoinPriceUSDPerMillion, inrPerUsd: context.config.paisePerUsd / 100 } }
      },
    }),
  ]
}

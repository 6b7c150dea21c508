import type { Pricing } from '#contract/pricing.ts'
import { usePolled } from './swr.tsx'

export const pricingKey = '/api/pricing'
const PRICING_EVERY_MS = 10_000

export const usePricing = () => usePolled<Pricing>(pricingKey, PRICING_EVERY_MS)

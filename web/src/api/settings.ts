import type { PaymentSettings } from '#contract/settings.ts'
import useSWR from 'swr'
import { usePolled } from './swr.tsx'
import type { Pricing } from '#contract/pricing.ts'
import type { Product } from '#contract/product.ts'

export const settingsKey = '/api/payment-settings'
export const SETTINGS_EVERY_MS = 10_000
export const SETTINGS_ON_LANDING_EVERY_MS = 30_000

export const useSettings = (everyMs = SETTINGS_EVERY_MS) => usePolled<PaymentSettings>(settingsKey, everyMs)

/** The cached settings, which another component polls. */
export const useKnownSettings = () => useSWR<PaymentSettings>(settingsKey).data

export const pricingKey = '/api/pricing'
const PRICING_EVERY_MS = 10_000

export const usePricing = () => usePolled<Pricing>(pricingKey, PRICING_EVERY_MS)

export const productsKey = '/api/products'

export const useProducts = () => useSWR<Product[]>(productsKey)

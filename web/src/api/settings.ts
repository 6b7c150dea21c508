import type { PaymentSettings } from '#contract/settings.ts'
import type { Pack } from '#pricing'
import useSWR from 'swr'
import { usePolled } from './swr.tsx'

export const settingsKey = '/api/payment-settings'
export const SETTINGS_EVERY_MS = 10_000
export const SETTINGS_ON_LANDING_EVERY_MS = 30_000

export function useSettings(everyMs = SETTINGS_EVERY_MS) {
  return usePolled<PaymentSettings>(settingsKey, everyMs)
}

/** As they were last asked for, by whoever polls them. */
export function useKnownSettings(): PaymentSettings | undefined {
  return useSWR<PaymentSettings>(settingsKey).data
}

/** Pack 1 to pack 6, in this order: the price formula takes the last that fits. */
export function packsOf(settings: PaymentSettings): readonly Pack[] {
  return [
    { amountM: settings.pack1Amount, discountPercent: settings.pack1Discount },
    { amountM: settings.pack2Amount, discountPercent: settings.pack2Discount },
    { amountM: settings.pack3Amount, discountPercent: settings.pack3Discount },
    { amountM: settings.pack4Amount, discountPercent: settings.pack4Discount },
    { amountM: settings.pack5Amount, discountPercent: settings.pack5Discount },
    { amountM: settings.pack6Amount, discountPercent: settings.pack6Discount },
  ]
}

import type { PaymentSettings } from '#contract/settings.ts'
import useSWR from 'swr'
import { usePolled } from './swr.tsx'

export const settingsKey = '/api/payment-settings'
export const SETTINGS_EVERY_MS = 10_000
export const SETTINGS_ON_LANDING_EVERY_MS = 30_000

export const useSettings = (everyMs = SETTINGS_EVERY_MS) => usePolled<PaymentSettings>(settingsKey, everyMs)

/** The cached settings, which another component polls. */
export const useKnownSettings = () => useSWR<PaymentSettings>(settingsKey).data

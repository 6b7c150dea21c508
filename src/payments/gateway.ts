import type { PaymentProvider, ProviderWindows } from './payment-provider.ts'
import type { CallOptions } from './provider-calls.ts'

/** How to open a gateway, a provider called over the network. `Settings`: the configuration that it reads. */
export interface Gateway<Settings> {
  /** Keys that must be set; it is open if all are. */
  readonly keys: readonly (keyof Settings)[]
  /** The setting that holds its address. */
  readonly url: keyof Settings
  readonly open: (settings: Settings, calls: CallOptions) => PaymentProvider
  /** What its window in the browser needs of the page; absent if it opens none. */
  readonly windows?: (settings: Settings) => ProviderWindows
}

/** Where a provider sends its webhooks. */
export function webhookUrl({ PUBLIC_URL }: { readonly PUBLIC_URL: string }, provider: string): string {
  return `${PUBLIC_URL}/api/webhooks/${provider}`
}

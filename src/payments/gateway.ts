import type { PaymentProvider, ProviderWindows } from './payment-provider.ts'
import type { CallOptions } from './provider-calls.ts'

/** How to open a gateway, a provider called over the network. `Settings` is the part of the configuration that it reads. */
export interface Gateway<Settings> {
  /** The settings that hold its API keys. The shop opens a gateway if all of them are set. */
  readonly keys: readonly (keyof Settings)[]
  /** The setting that holds its address. */
  readonly url: keyof Settings
  readonly open: (settings: Settings, calls: CallOptions) => PaymentProvider
  /** What its window in the browser needs the page to allow; absent if it opens none. */
  readonly windows?: (settings: Settings) => ProviderWindows
}

/** Where a provider sends its webhooks. */
export function webhookUrl({ PUBLIC_URL }: { readonly PUBLIC_URL: string }, provider: string): string {
  return `${PUBLIC_URL}/api/webhooks/${provider}`
}

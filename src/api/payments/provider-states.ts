import type { Logger } from 'pino'
import { paymentMethods } from '../../domain/payment-methods.ts'
import { type PaymentProvider, unlessAway } from '../../payments/payment-provider.ts'
import type { ProviderState as Watched, ProviderWatch } from '../../payments/provider-watch.ts'
import { providerNamed } from '../../shop/payment-methods.ts'
import type { Shop } from '../../shop/shop.ts'
import type { Api } from '../api.ts'
import type { ProviderState, ProviderStates } from '../contract/provider.ts'
import { inTime } from '../../ports/in-time.ts'
import { RequestError } from '../http/errors.ts'

/** The owner's request waits for it. */
const CHECK_MS = 15_000
/** A press more often shows what the last one found. */
const CHECK_EVERY_MS = 5_000

type Watching = Pick<Api, 'shop' | 'views' | 'providerWatch'>

/** Whatever is known of the providers that take this shop's money. */
export async function providerStates({ shop, views, providerWatch: watch }: Watching): Promise<ProviderStates> {
  if (!watch) return { providers: [] }
  const states = watchedProviders(shop, watch).map(async (provider) => {
    const { name } = provider
    const [watched, polled] = await Promise.all([watch.stateOf(name), views.polledBy(name)])
    return stateOf(watched, {
      provider: name,
      methods: paymentMethods.filter((method) => shop.providers[method].some((one) => one.name === name)),
      webhookAddress: `${shop.policy.publicUrl}/api/webhooks/${name}`,
      polled: polled ?? null,
      canCheckKeys: provider.checkKeys !== undefined,
    })
  })
  return { providers: await Promise.all(states) }
}

/** Asks the provider about the keys; what it says is in the states afterwards. */
export async function checkKeys({ shop, providerWatch: watch }: Watching, name: string): Promise<void> {
  const provider = watch?.names.includes(name) ? providerNamed(shop, name) : undefined
  if (!watch || !provider?.checkKeys) throw new RequestError('request/not-found', 'There is no such provider to ask.')
  const { keys } = await watch.stateOf(name)
  if (keys && shop.clock.now() - keys.at < CHECK_EVERY_MS) return
  await inTime(provider.checkKeys().catch(unlessAway), CHECK_MS, undefined)
}

/** Keys that are wrong are said at the start, not by the first buyer. */
export async function checkKeysAtStart(
  shop: Pick<Shop, 'providers'>,
  watch: ProviderWatch,
  logger: Logger,
): Promise<void> {
  for (const provider of watchedProviders(shop, watch)) {
    const report = await provider.checkKeys?.().catch(() => undefined)
    if (report?.areAccepted === false)
      logger.warn({ provider: provider.name, reason: report.reason }, 'a payment provider refuses the keys')
  }
}

function watchedProviders(shop: Pick<Shop, 'providers'>, { names }: ProviderWatch): PaymentProvider[] {
  return names.flatMap((name) => providerNamed(shop, name) ?? [])
}

type Configured = Pick<ProviderState, 'provider' | 'methods' | 'webhookAddress' | 'polled' | 'canCheckKeys'>

function stateOf({ late, failing, keys, ...watched }: Watched, configured: Configured): ProviderState {
  return {
    ...configured,
    late,
    failing,
    awaySince: textOf(watched.awaySince),
    reason: watched.reason ?? null,
    lastWebhookAt: textOf(watched.webhookAt),
    refusedWebhookAt: textOf(watched.refusedWebhookAt),
    keys: keys && {
      checkedAt: new Date(keys.at).toISOString(),
      are: keys.areAccepted === null ? 'unknown' : keys.areAccepted ? 'accepted' : 'refused',
      reason: keys.reason,
    },
  }
}

function textOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

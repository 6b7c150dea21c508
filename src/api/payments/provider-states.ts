import type { Logger } from 'pino'
import { paymentMethods } from '../../domain/payment-methods.ts'
import { ProviderAway } from '../../payments/payment-provider.ts'
import { messageOf, type ProviderHealth } from '../../payments/provider-health.ts'
import { calledProviders } from '../../shop/payment-methods.ts'
import type { Shop } from '../../shop/shop.ts'
import type { Api } from '../api.ts'
import type { ProviderState, ProviderStates } from '../contract/provider.ts'
import { inTime } from '../../ports/in-time.ts'
import { countPolled } from '../../projections/orders.ts'
import { ViewBehind } from '../../projections/views.ts'
import { RequestError } from '../http/errors.ts'
import type { Call } from '../http/route.ts'

/** The owner's request waits for it. */
const CHECK_MS = 15_000
/** A press more often shows what the last one found. */
const CHECK_EVERY_MS = 5_000

type Called = ReturnType<typeof calledProviders>[number]

/** Whatever this process knows of the providers that take this shop's money. */
export async function providerStates({ shop }: Pick<Api, 'shop'>, call: Pick<Call, 'views'>): Promise<ProviderStates> {
  const states = calledProviders(shop).map(async ({ provider, health }): Promise<ProviderState> => {
    const { name } = provider
    const { awaySince, reason, failing } = health.state()
    return {
      provider: name,
      methods: paymentMethods.filter((method) => shop.providers[method].some((one) => one.name === name)),
      webhookAddress: `${shop.policy.publicUrl}/api/webhooks/${name}`,
      polled: await polledBy(call, name),
      failing,
      awaySince: textOf(awaySince),
      reason: reason ?? null,
      lastWebhookAt: textOf(health.webhookAt),
      refusedWebhookAt: textOf(health.refusedWebhookAt),
      keys: keysOf(health),
      canCheckKeys: provider.checkKeys !== undefined,
    }
  })
  return { providers: await Promise.all(states) }
}

async function polledBy(call: Pick<Call, 'views'>, provider: string): Promise<number | null> {
  try {
    return await countPolled(await call.views(), provider)
  } catch (error) {
    if (error instanceof ViewBehind) return null
    throw error
  }
}

/** Asks the provider about the keys; what it says is in the states afterwards. */
export async function checkKeys({ shop }: Pick<Api, 'shop'>, name: string): Promise<void> {
  const called = calledProviders(shop).find(({ provider }) => provider.name === name)
  if (!called?.provider.checkKeys) throw new RequestError('request/not-found', 'There is no such provider to ask.')
  const { keys } = called.health
  if (keys && shop.clock.now() - keys.at < CHECK_EVERY_MS) return
  await inTime(keysChecked(called), CHECK_MS, undefined)
}

/** Keys that are wrong are said at the start, not by the first buyer. */
export async function checkKeysAtStart(shop: Pick<Shop, 'providers'>, logger: Logger): Promise<void> {
  for (const called of calledProviders(shop)) {
    await keysChecked(called).catch(() => undefined)
    const { areAccepted, reason } = called.health.keys ?? {}
    if (areAccepted === false)
      logger.warn({ provider: called.provider.name, reason }, 'a payment provider refuses the keys')
  }
}

async function keysChecked({ provider, health }: Called): Promise<void> {
  try {
    const report = await provider.checkKeys?.()
    if (report) health.keysChecked(report)
  } catch (error) {
    if (!(error instanceof ProviderAway)) throw error
    health.keysChecked({ areAccepted: null, reason: messageOf(error) })
  }
}

function keysOf({ keys }: ProviderHealth): ProviderState['keys'] {
  return (
    keys && {
      checkedAt: new Date(keys.at).toISOString(),
      are: keys.areAccepted === null ? 'unknown' : keys.areAccepted ? 'accepted' : 'refused',
      reason: keys.reason,
    }
  )
}

function textOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

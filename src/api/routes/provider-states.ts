import type { Logger } from 'pino'
import { paymentMethods } from '../../domain/payment-methods.ts'
import { ProviderAway } from '../../payments/payment-provider.ts'
import { messageOf, type ProviderHealth } from '../../payments/provider-health.ts'
import { calledProviders } from '../../shop/providers.ts'
import type { CommandContext } from '../../shop/command-context.ts'
import type { ProviderState, ProviderStates } from '../contract/provider.ts'
import { inTime } from '../../ports/in-time.ts'
import { countPolled } from '../../projections/orders.ts'
import { ViewBehind } from '../../projections/shop-views.ts'
import { RequestError } from '../http/errors.ts'
import type { Call } from '../http/route.ts'

/** The owner's request waits this long. */
const CHECK_MS = 15_000
/** Repeats within this time show the last result. */
const CHECK_EVERY_MS = 5_000

type Called = ReturnType<typeof calledProviders>[number]

/** What this process knows of the payment providers. */
export async function readProviderStates(context: CommandContext, call: Pick<Call, 'views'>): Promise<ProviderStates> {
  const called = calledProviders(context)
  const polled = await polledBy(
    call,
    called.map(({ provider }) => provider.name),
  )
  const providers = called.map(({ provider, health }, index): ProviderState => {
    const { name } = provider
    const { awaySince, reason, failing } = health.state()
    return {
      provider: name,
      methods: paymentMethods.filter((method) => context.providers[method].some((one) => one.name === name)),
      webhookAddress: `${context.config.PUBLIC_URL}/api/webhooks/${name}`,
      polled: polled[index] ?? null,
      failing,
      awaySince: timeOf(awaySince),
      reason: reason ?? null,
      lastWebhookAt: timeOf(health.webhookAt),
      refusedWebhookAt: timeOf(health.refusedWebhookAt),
      keys: keyCheckOf(health),
      canCheckKeys: provider.checkKeys !== undefined,
    }
  })
  return { providers }
}

/** Empty while the views are being built. */
async function polledBy(call: Pick<Call, 'views'>, providers: readonly string[]): Promise<readonly number[]> {
  try {
    const views = await call.views()
    return await Promise.all(providers.map(async (provider) => countPolled(views, provider)))
  } catch (error) {
    if (error instanceof ViewBehind) return []
    throw error
  }
}

/** Checks the keys at the provider; the states then show the result. */
export async function checkKeys(context: CommandContext, name: string): Promise<void> {
  const called = calledProviders(context).find(({ provider }) => provider.name === name)
  if (!called?.provider.checkKeys) throw new RequestError('request/not-found', 'There is no such provider to ask.')
  const { keys } = called.health
  if (keys && context.clock.now() - keys.at < CHECK_EVERY_MS) return
  await inTime(runKeyCheck(called), CHECK_MS, undefined)
}

/** Reports wrong keys at startup, before a buyer meets them. */
export async function checkKeysAtStart(context: Pick<CommandContext, 'providers'>, logger: Logger): Promise<void> {
  for (const called of calledProviders(context)) {
    await runKeyCheck(called).catch(() => undefined)
    const { areAccepted, reason } = called.health.keys ?? {}
    if (areAccepted === false)
      logger.warn({ provider: called.provider.name, reason }, 'a payment provider refuses the keys')
  }
}

async function runKeyCheck({ provider, health }: Called): Promise<void> {
  try {
    const report = await provider.checkKeys?.()
    if (report) health.recordKeys(report)
  } catch (error) {
    if (!(error instanceof ProviderAway)) throw error
    health.recordKeys({ areAccepted: null, reason: messageOf(error) })
  }
}

function keyCheckOf({ keys }: ProviderHealth): ProviderState['keys'] {
  return (
    keys && {
      checkedAt: new Date(keys.at).toISOString(),
      are: keys.areAccepted === null ? 'unknown' : keys.areAccepted ? 'accepted' : 'refused',
      reason: keys.reason,
    }
  )
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

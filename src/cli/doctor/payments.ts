import { type Config, isLoopback, unreachableReason } from '../../config.ts'
import { type GatewayName, gatewayNames, paymentMethods, refundGateways } from '../../domain/payment-methods.ts'
import { gateways } from '../../payments/gateways.ts'
import { gatewaysInUse, missingKeys } from '../../process/payment-providers.ts'
import { webhookUrl } from '../../payments/gateway.ts'
import { lastWebhookAt } from '../../process/webhook-mark.ts'
import { systemClock } from '../../process/system.ts'
import { oneLine } from '../../ports/one-line.ts'
import { ASK_MS, type Finding, runCheck } from './finding.ts'
import { openViews } from '../../engines/open-engines.ts'

/** Checks each provider: its keys, and whether its webhooks can reach the shop. */
export async function lookAtPayments(config: Config): Promise<Finding[]> {
  const note = 'docs/going-live.md says how to take real money'
  if (config.PAYMENTS !== 'live') return [{ part: 'payments', facts: 'played by the sandbox', note }]
  const names = gatewaysInUse(config)
  const looks = await Promise.all(names.map(async (name) => runCheck(name, async () => lookAt(config, name))))
  const findings = [...looks, ...halfConfigured(config)]
  return findings.length > 0 ? findings : [{ part: 'payments', facts: 'no provider has all its keys', note }]
}

/** Gateways that lack some of their keys. */
function halfConfigured(config: Config): Finding[] {
  return paymentMethods
    .flatMap((method) => gatewayNames[method])
    .flatMap((part) => {
      const missing = missingKeys(config, part)
      const isHalf = missing.length > 0 && missing.length < gateways[part].keys.length
      return isHalf ? [{ part, facts: 'off', must: `set ${missing.join(' and ')}, too` }] : []
    })
}

async function lookAt(config: Config, name: GatewayName): Promise<Omit<Finding, 'part'>> {
  const { open, url, keys } = gateways[name]
  const report = await open(config, { now: () => systemClock.now(), timeoutMs: ASK_MS / 2 }).checkKeys?.()
  const address = webhookUrl(config, name)
  const unreachable = isLoopback(new URL(config[url]).hostname) ? undefined : unreachableReason(config.PUBLIC_URL)
  const blocked = unreachable === undefined ? await blockedBy(address) : undefined
  const last = await lastWebhookOf(config, name)
  const refused = report?.areAccepted === false ? (report.reason ?? 'no reason given') : undefined
  return {
    facts: [
      refused === undefined ? 'keys accepted' : `keys refused (${refused})`,
      ...(refused === undefined && refundGateways.has(name) ? [refundFact(report?.mayRefund)] : []),
      `webhooks at ${address}`,
      last === undefined ? 'none came yet' : `the last came ${new Date(last).toISOString()}`,
    ].join(', '),
    must:
      (refused !== undefined ? `set ${keys.join(' and ')} to what the account at ${config[url]} shows` : undefined) ??
      (unreachable === undefined ? undefined : `no webhook can come (${unreachable}): set PUBLIC_URL`),
    note:
      (report?.mayRefund === false
        ? 'allow its app to refund, or pay back at the provider and record it'
        : undefined) ??
      (blocked === undefined
        ? undefined
        : `the address cannot be reached from here (${blocked}): start the shop, or let it through`) ??
      (last === undefined ? 'make a small payment; docs/going-live.md says whether to enter the address' : undefined),
  }
}

function refundFact(mayRefund: boolean | undefined): string {
  if (mayRefund === undefined) return 'whether refunds can be sent is not known until the first'
  return mayRefund ? 'refunds can be sent' : 'refunds cannot be sent'
}

/** Why the address does not reach the shop; undefined if it does. It accepts POST only, so 404 and 405 are fine. */
async function blockedBy(address: string): Promise<string | undefined> {
  try {
    const { status } = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(ASK_MS / 2) })
    return status < 300 || status === 404 || status === 405 ? undefined : `it answers ${status}`
  } catch (error) {
    return oneLine(error instanceof Error && error.cause ? error.cause : error)
  }
}

async function lastWebhookOf(config: Config, name: GatewayName): Promise<number | undefined> {
  const views = await openViews(config, { isReadOnly: true })
  try {
    return await lastWebhookAt(views.texts, name)
  } catch {
    // Before the first start there are no views.
    return undefined
  } finally {
    await views.close()
  }
}

import { paidCents } from '../domain/order/order-money.ts'
import { type PlacedOrder } from '../domain/order/order-state.ts'
import { centsToText } from '../domain/money.ts'
import { type Charge, chargeBy } from '../domain/pricing.ts'
import { Refusal } from '../domain/refusal.ts'
import { type PaymentMethod, paymentMethods, switchOf } from '../domain/payment-methods.ts'
import { chosenGateway } from '../domain/settings/settings.ts'
import type { PaymentLimits, PaymentProvider } from '../payments/payment-provider.ts'
import type { CommandContext } from './command-context.ts'

/** The amount due by one method. */
export interface Owed extends Charge {
  /** How much of the order's total it covers. */
  readonly coversCents: number
}

/** The rest of the total; rupees at the rate when the order was placed. */
export function owedBy(order: PlacedOrder, method: PaymentMethod): Owed {
  const coversCents = Math.max(order.placed.totalCents - paidCents(order), 0)
  return { ...chargeBy(method, coversCents, order.placed.paisePerUsd), coversCents }
}

type MethodsWorld = Pick<CommandContext, 'hot' | 'providers'>

/** The gateway for new payments of a method: the owner's choice, or else the first. */
export function currentProvider(context: MethodsWorld, method: PaymentMethod): PaymentProvider | undefined {
  const chosen = chosenGateway(context.hot.currentSettings(), method)
  return context.providers[method].find(({ name }) => name === chosen) ?? context.providers[method][0]
}

export function providerNamed(
  { providers }: Pick<CommandContext, 'providers'>,
  name: string,
): PaymentProvider | undefined {
  return paymentMethods.flatMap((method) => providers[method]).find((provider) => provider.name === name)
}

/** Providers called over the network, with the health of each. */
export function calledProviders({ providers }: Pick<CommandContext, 'providers'>) {
  return paymentMethods.flatMap((method) =>
    providers[method].flatMap((provider) => (provider.health ? [{ provider, health: provider.health }] : [])),
  )
}

/** Whether the owner's switch is on and there is a provider. */
export function isMethodOn(context: MethodsWorld, method: PaymentMethod): boolean {
  return context.providers[method].length > 0 && context.hot.currentSettings()[switchOf(method)]
}

export const methodOff = ['payment/method-off', 'This payment method is currently unavailable.'] as const

export function assertMethodOn(context: MethodsWorld, method: PaymentMethod | null): void {
  if (method !== null && !isMethodOn(context, method)) throw new Refusal(...methodOff)
}

export function usableProvider(context: MethodsWorld, method: PaymentMethod): PaymentProvider {
  const provider = currentProvider(context, method)
  if (!provider || !isMethodOn(context, method)) throw new Refusal(...methodOff)
  return provider
}

export function assertSomeMethodOn(context: MethodsWorld): void {
  if (!paymentMethods.some((method) => isMethodOn(context, method)))
    throw new Refusal('payment/method-off', 'The shop takes no payments at the moment. Please come back later.')
}

/** Decides by the settings and the stock in memory; before a refusal, reads what other processes have appended and decides again. */
export async function retryOnFreshState<Decision>(
  context: Pick<CommandContext, 'hot'>,
  decide: () => Decision,
): Promise<Decision> {
  try {
    return decide()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await Promise.all([context.hot.inventory.refresh(), context.hot.settings.refresh()])
    return decide()
  }
}

/** Refuses, with the reason, amounts that the provider would refuse. */
export async function assertWithinLimits(
  provider: PaymentProvider,
  owed: Owed,
  payCurrency: string | undefined,
): Promise<void> {
  const what = payCurrency === undefined ? 'method' : 'coin'
  const reason = outOfRange(await provider.limits(payCurrency), owed, what)
  if (reason !== undefined) throw new Refusal('payment/amount-out-of-range', reason)
}

export function outOfRange(limits: PaymentLimits, owed: Owed, what: 'method' | 'coin' = 'method'): string | undefined {
  const text = (minor: number): string => `${centsToText(minor)} ${owed.currency}`
  if (owed.askedMinor < limits.minMinor) return `This ${what} takes no less than ${text(limits.minMinor)}.`
  if (owed.askedMinor > limits.maxMinor) return `This ${what} takes no more than ${text(limits.maxMinor)}.`
  return undefined
}

import { paidCents } from '../domain/order/order-money.ts'
import { type PlacedOrder } from '../domain/order/order-state.ts'
import { centsToText } from '../domain/money.ts'
import { type Charge, chargeBy } from '../domain/pricing.ts'
import { Refusal } from '../domain/refusal.ts'
import { type PaymentMethod, paymentMethods, switchOf } from '../domain/payment-methods.ts'
import { chosenGateway } from '../domain/settings/settings.ts'
import type { PaymentLimits, PaymentProvider } from '../payments/payment-provider.ts'
import type { Shop } from './shop.ts'

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

type MethodsWorld = Pick<Shop, 'hot' | 'providers'>

/** The gateway for new payments of a method: the owner's choice, or else the first. */
export function currentProvider(shop: MethodsWorld, method: PaymentMethod): PaymentProvider | undefined {
  const chosen = chosenGateway(shop.hot.currentSettings(), method)
  return shop.providers[method].find(({ name }) => name === chosen) ?? shop.providers[method][0]
}

export function providerNamed({ providers }: Pick<Shop, 'providers'>, name: string): PaymentProvider | undefined {
  return paymentMethods.flatMap((method) => providers[method]).find((provider) => provider.name === name)
}

/** Providers called over the network, with the health of each. */
export function calledProviders({ providers }: Pick<Shop, 'providers'>) {
  return paymentMethods.flatMap((method) =>
    providers[method].flatMap((provider) => (provider.health ? [{ provider, health: provider.health }] : [])),
  )
}

/** Whether the owner's switch is on and there is a provider. */
export function isMethodOn(shop: MethodsWorld, method: PaymentMethod): boolean {
  return shop.providers[method].length > 0 && shop.hot.currentSettings()[switchOf(method)]
}

export const methodOff = ['payment/method-off', 'This payment method is currently unavailable.'] as const

export function assertMethodOn(shop: MethodsWorld, method: PaymentMethod | null): void {
  if (method !== null && !isMethodOn(shop, method)) throw new Refusal(...methodOff)
}

export function usableProvider(shop: MethodsWorld, method: PaymentMethod): PaymentProvider {
  const provider = currentProvider(shop, method)
  if (!provider || !isMethodOn(shop, method)) throw new Refusal(...methodOff)
  return provider
}

export function assertSomeMethodOn(shop: MethodsWorld): void {
  if (!paymentMethods.some((method) => isMethodOn(shop, method)))
    throw new Refusal('payment/method-off', 'The shop takes no payments at the moment. Please come back later.')
}

/** Decides by the settings and the stock in memory; before a refusal, reads what other processes have appended and decides again. */
export async function retryOnFreshState<Decision>(shop: Pick<Shop, 'hot'>, decide: () => Decision): Promise<Decision> {
  try {
    return decide()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await Promise.all([shop.hot.inventory.refresh(), shop.hot.settings.refresh()])
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

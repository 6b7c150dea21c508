import type { Currency } from './words.ts'

interface MethodRow {
  /** Name within a sentence. */
  readonly name: string
  /** The currency charged by its provider. */
  readonly currency: Currency
  /** Added to every payment. */
  readonly feeCents: number
  /** Whether the rest of an underpaid payment is sent to its address; otherwise it needs a new payment. */
  readonly isToppedUp: boolean
  /** Whether the amount is the provider's quote, which can be replaced by a new one. */
  readonly isQuoted: boolean
  /** How much of the total may be missing, in hundredths of a percent: exchange rates move during a transfer. */
  readonly toleranceBasisPoints: number
}

/** Every way to pay. The keys are stored in orders and settings and used in routes, so they never change. */
export const methodRows = {
  paypal: {
    name: 'PayPal',
    currency: 'USD',
    feeCents: 40,
    isToppedUp: false,
    isQuoted: false,
    toleranceBasisPoints: 0,
  },
  crypto: { name: 'crypto', currency: 'USD', feeCents: 0, isToppedUp: true, isQuoted: true, toleranceBasisPoints: 50 },
  upi: { name: 'UPI', currency: 'INR', feeCents: 0, isToppedUp: false, isQuoted: false, toleranceBasisPoints: 0 },
} as const satisfies Record<string, MethodRow>

export type PaymentMethod = keyof typeof methodRows

/** The gateways of each method; of several the owner chooses one, by default the first. Names are stored with payments, so they never change. */
export const gatewayNames = {
  paypal: ['paypal'],
  crypto: ['nowpayments'],
  upi: ['upigateway', 'cashfree'],
} as const satisfies Record<PaymentMethod, readonly string[]>
export type GatewayName = (typeof gatewayNames)[PaymentMethod][number]
/** Those through which the shop sends refunds. */
export const refundGateways: ReadonlySet<string> = new Set<GatewayName>(['paypal', 'cashfree'])
export type UpiGateway = (typeof gatewayNames)['upi'][number]
export type MethodOfSeveral = {
  [Method in PaymentMethod]: (typeof gatewayNames)[Method]['length'] extends 1 ? never : Method
}[PaymentMethod]

/** The settings field with a method's switch. */
export type MethodSwitch = `${PaymentMethod}Enabled`

export const paymentMethods = Object.keys(methodRows) as readonly PaymentMethod[]

export function switchOf(method: PaymentMethod): MethodSwitch {
  return `${method}Enabled`
}

export function byMethod<Value>(valueOf: (method: PaymentMethod) => Value): Record<PaymentMethod, Value> {
  return Object.fromEntries(paymentMethods.map((method) => [method, valueOf(method)])) as Record<PaymentMethod, Value>
}

/** One value for every method's switch. */
export function forSwitches<Value>(value: Value): Record<MethodSwitch, Value> {
  return Object.fromEntries(paymentMethods.map((method) => [switchOf(method), value])) as Record<MethodSwitch, Value>
}

interface MethodRow {
  /** As in a sentence. */
  readonly name: string
  /** What its provider is asked for. */
  readonly currency: 'USD' | 'INR'
  /** On top of every payment. */
  readonly feeCents: number
  /** Whether the rest of a payment that came short goes to the same address; otherwise a new payment asks for it. */
  readonly isToppedUp: boolean
  /** How much of the total may be missing, in hundredths of a percent: a network's rate moves while coins travel. */
  readonly toleranceBasisPoints: number
}

/** Every way to pay. The keys are stored with orders and settings and stand in routes, so a key given once stays. */
export const methodRows = {
  paypal: { name: 'PayPal', currency: 'USD', feeCents: 40, isToppedUp: false, toleranceBasisPoints: 0 },
  crypto: { name: 'crypto', currency: 'USD', feeCents: 0, isToppedUp: true, toleranceBasisPoints: 50 },
  upi: { name: 'UPI', currency: 'INR', feeCents: 0, isToppedUp: false, toleranceBasisPoints: 0 },
} as const satisfies Record<string, MethodRow>

export type PaymentMethod = keyof typeof methodRows
/** Where the settings say whether a method is on. */
export type MethodSwitch = `${PaymentMethod}Enabled`

export const paymentMethods = Object.keys(methodRows) as readonly PaymentMethod[]

export function switchOf(method: PaymentMethod): MethodSwitch {
  return `${method}Enabled`
}

export function byMethod<Value>(valueOf: (method: PaymentMethod) => Value): Record<PaymentMethod, Value> {
  return Object.fromEntries(paymentMethods.map((method) => [method, valueOf(method)])) as Record<PaymentMethod, Value>
}

/** The same for every method's switch. */
export function forSwitches<Value>(value: Value): Record<MethodSwitch, Value> {
  return Object.fromEntries(paymentMethods.map((method) => [switchOf(method), value])) as Record<MethodSwitch, Value>
}

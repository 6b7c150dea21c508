import type { Order, PaymentMethod } from '#contract/order.ts'
import type { PaymentSettings } from '#contract/settings.ts'
import { chargeBy } from '#pricing'
import { centsOf, decimal, money, paisePerUsd } from '../../lib/format.ts'
import { methods } from '../../payment-methods.ts'

export interface MethodOffer {
  readonly method: PaymentMethod
  readonly isAvailable: boolean
  /** Why it cannot be chosen. */
  readonly reason: string | null
  /** What it charges, as shown and as sent. */
  readonly charge: string
  readonly amount: string
}

const unavailable = 'Currently unavailable'

/** The order says what each method charges; the settings may have switched one off since. */
export function offersOf(order: Order, settings: PaymentSettings | undefined): MethodOffer[] {
  return methods.map((method) => {
    const listed = order.methods?.find((one) => one.method === method)
    const isOff = settings?.[`${method}Enabled`] === false
    const charge = chargeBy(method, centsOf(order.totalAmount), paisePerUsd(order.inrPerUsd))
    const amount = listed?.payable ?? decimal(charge.askedMinor)
    return {
      method,
      isAvailable: !isOff && listed?.available !== false,
      reason: isOff ? unavailable : listed?.available === false ? (listed.reason ?? unavailable) : null,
      charge: money({ amount, currency: charge.currency }),
      amount,
    }
  })
}

import type { Order, PaymentMethod } from '#contract/order.ts'
import type { PaymentSettings } from '#contract/settings.ts'
import { money } from '../../lib/format.ts'

export interface MethodOffer {
  readonly method: PaymentMethod
  readonly isAvailable: boolean
  /** Why it cannot be chosen. */
  readonly reason: string | null
  /** The amount to pay, as shown; `amount` as sent. */
  readonly charge: string
  readonly amount: string
}

/** The order's amount by each method. Settings may have turned a method off since. */
export function offersOf(
  { methods = [] }: Pick<Order, 'methods'>,
  settings: PaymentSettings | undefined,
): MethodOffer[] {
  return methods.map(({ method, available, reason, payable, currency }) => {
    const isOff = settings?.[`${method}Enabled`] === false
    return {
      method,
      isAvailable: available && !isOff,
      reason: isOff ? 'Currently unavailable' : reason,
      charge: money({ amount: payable, currency }),
      amount: payable,
    }
  })
}

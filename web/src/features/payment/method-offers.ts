import type { Order, PaymentMethod } from '#contract/order.ts'
import type { PaymentSettings } from '#contract/settings.ts'
import { money } from '../../lib/format.ts'

export interface MethodOffer {
  readonly method: PaymentMethod
  readonly isAvailable: boolean
  /** Why it cannot be chosen. */
  readonly reason: string | null
  /** What it charges, as shown and as sent. */
  readonly charge: string
  readonly amount: string
}

/** What an order says that each method charges; the settings may have switched one off since. */
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

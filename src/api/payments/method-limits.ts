import { currentProvider, outOfRange, owedBy } from '../../shop/payment-methods.ts'
import type { Shop } from '../../shop/shop.ts'
import type { PlacedOrder } from '../../domain/order/order-state.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import { currencyOf } from '../../domain/pricing.ts'
import type { PaymentLimits, PaymentProvider } from '../../payments/payment-provider.ts'
import { inTime } from '../../ports/in-time.ts'

const FRESH_MS = 10 * 60_000
const RETRY_MS = 30_000
/** Timeout for a provider's limits that a screen only displays. */
const WAIT_MS = 500

interface Known {
  readonly limits: PaymentLimits | undefined
  readonly askAgainAt: number
}

/** The providers' limits, cached since screens poll them every few seconds. */
export interface MethodLimits {
  /** Why an order cannot be paid by this method, without waiting for its provider. */
  reasonAgainst(order: PlacedOrder, method: PaymentMethod): Promise<string | undefined>
}

export function methodLimits(shop: Pick<Shop, 'hot' | 'providers' | 'clock'>): MethodLimits {
  const known = new Map<string, Known>()
  const asking = new Map<string, Promise<void>>()

  async function ask(provider: PaymentProvider, method: PaymentMethod): Promise<void> {
    const now = shop.clock.now()
    const { name } = provider
    const old = known.get(name)?.limits
    try {
      const limits = await provider.limits(currencyOf(method))
      known.set(name, { limits, askAgainAt: now + FRESH_MS })
    } catch {
      // Unknown limits do not block the choice; the payment itself checks them.
      known.set(name, { limits: old, askAgainAt: now + RETRY_MS })
    } finally {
      asking.delete(name)
    }
  }

  return {
    async reasonAgainst(order, method) {
      const provider = currentProvider(shop, method)
      if (!provider) return undefined
      const { name } = provider
      if (shop.clock.now() >= (known.get(name)?.askAgainAt ?? 0)) {
        const answer = asking.get(name) ?? ask(provider, method)
        asking.set(name, answer)
        await inTime(answer, WAIT_MS, undefined)
      }
      const limits = known.get(name)?.limits
      return limits && outOfRange(limits, owedBy(order, method))
    },
  }
}

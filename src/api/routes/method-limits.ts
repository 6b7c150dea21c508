import { LRUCache } from 'lru-cache'
import { currentProvider, outOfRange, owedBy } from '../../shop/providers.ts'
import type { CommandContext } from '../../shop/command-context.ts'
import type { PlacedOrder } from '../../domain/order/order-state.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import type { PaymentLimits, PaymentProvider } from '../../payments/payment-provider.ts'
import { inTime } from '../../ports/in-time.ts'

const FRESH_MS = 10 * 60_000
const RETRY_MS = 30_000
/** Timeout for a provider's limits that a screen only displays. */
const WAIT_MS = 500

/** An object, since the cache stores no undefined. */
interface CachedLimits {
  readonly limits: PaymentLimits | undefined
}

/** The providers' limits, cached since screens poll them every few seconds. */
export function methodLimits(context: Pick<CommandContext, 'hot' | 'providers' | 'clock'>) {
  const known = new LRUCache<PaymentProvider, CachedLimits>({
    max: 100,
    ttl: FRESH_MS,
    ttlResolution: 0,
    perf: context.clock,
    async fetchMethod(provider, old, { options }) {
      try {
        return { limits: await provider.limits() }
      } catch {
        // Unknown limits do not block the choice; the payment itself checks them.
        options.ttl = RETRY_MS
        return { limits: old?.limits }
      }
    },
  })
  return {
    /** Why an order cannot be paid by this method; undefined if it can, or if the limits are not known within `WAIT_MS`. */
    async reasonAgainst(order: PlacedOrder, method: PaymentMethod): Promise<string | undefined> {
      const provider = currentProvider(context, method)
      if (!provider) return undefined
      const cached =
        known.peek(provider) ??
        (await inTime(known.fetch(provider), WAIT_MS, known.peek(provider, { allowStale: true })))
      return cached?.limits && outOfRange(cached.limits, owedBy(order, method))
    },
  }
}

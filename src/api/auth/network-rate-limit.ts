import type { LimitStore, PermitKey } from './limit-store.ts'

/** Factor of the limit from one network to the next wider one, which more neighbours share. */
const NETWORK_FACTORS = [1, 4, 16] as const

/** Permits of a caller's networks, of which the narrowest has `max`. */
export function permitKeys(networks: readonly string[], max: number): PermitKey[] {
  return networks.map((network, width) => ({ key: `a:${network}`, max: max * (NETWORK_FACTORS[width] ?? 1) }))
}

/** A rate limit per network of `networksOf`. */
interface NetworkRateLimit {
  /** Counts an action of so many points (1) in each network, or throws `request/too-many`. */
  consume(networks: readonly string[], points?: number): Promise<void>
  /** Counts actions that have happened and cannot be refused. */
  add(networks: readonly string[], count: number): Promise<void>
  /** Seconds until actions are allowed again; 0 where they are. */
  secondsExhausted(networks: readonly string[]): Promise<number>
  /** Resets the count of the narrowest network. */
  reset(networks: readonly string[]): Promise<void>
}

export function networkRateLimit(
  store: LimitStore,
  { name, max, windowS }: { name: string; max: number; windowS: number },
): NetworkRateLimit {
  const tiers = NETWORK_FACTORS.map((factor, tier) => ({
    max: max * factor,
    limit: store.rateLimit({ name: tier === 0 ? name : `${name}-${tier}`, max: max * factor, windowS }),
  }))
  const of = (networks: readonly string[]) =>
    networks.flatMap((network, tier) => {
      const own = tiers[tier]
      return own ? [{ ...own, network }] : []
    })

  return {
    async consume(networks, points) {
      for (const { limit, network } of of(networks)) await limit.consume(network, points)
    },
    async add(networks, count) {
      for (const { limit, network } of of(networks)) await limit.add(network, count)
    },
    async secondsExhausted(networks) {
      const seconds = await Promise.all(
        of(networks).map(async ({ limit, max, network }) =>
          (await limit.count(network)) >= max ? limit.secondsLeft(network) : 0,
        ),
      )
      return Math.max(0, ...seconds)
    },
    async reset([narrowest]) {
      if (narrowest !== undefined) await tiers[0]?.limit.reset(narrowest)
    },
  }
}

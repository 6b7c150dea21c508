import type { LimitStore } from './limit-store.ts'

/** Factor of the limit from one network to the next wider one, which more neighbours share. */
export const NETWORK_FACTORS = [1, 4, 16] as const

/** A rate limit per network of `networksOf`. */
interface NetworkTries {
  /** Counts one in each network, or throws `request/too-many`. */
  take(networks: readonly string[]): Promise<void>
  /** Counts actions that have happened and cannot be refused. */
  add(networks: readonly string[], count: number): Promise<void>
  areUsedUp(networks: readonly string[]): Promise<boolean>
  /** Resets the count of the narrowest network. */
  forget(networks: readonly string[]): Promise<void>
}

export function networkTries(
  store: LimitStore,
  { name, max, windowS }: { name: string; max: number; windowS: number },
): NetworkTries {
  const widths = NETWORK_FACTORS.map((factor, width) => ({
    max: max * factor,
    tries: store.tries({ name: width === 0 ? name : `${name}-${width}`, max: max * factor, windowS }),
  }))
  const of = (networks: readonly string[]) =>
    networks.flatMap((network, width) => {
      const own = widths[width]
      return own ? [{ ...own, network }] : []
    })

  return {
    async take(networks) {
      for (const { tries, network } of of(networks)) await tries.take(network)
    },
    async add(networks, count) {
      for (const { tries, network } of of(networks)) await tries.add(network, count)
    },
    async areUsedUp(networks) {
      const counts = await Promise.all(of(networks).map(async (own) => (await own.tries.count(own.network)) >= own.max))
      return counts.includes(true)
    },
    async forget([narrowest]) {
      if (narrowest !== undefined) await widths[0]?.tries.forget(narrowest)
    },
  }
}

import { assertBuyersKnown } from '../commands/check-buyers.ts'
import { initializeShop } from '../commands/initialize-shop.ts'
import type { Views } from '../projections/shop-views.ts'
import { viewReader } from '../projector/view-reader.ts'
import type { Runner } from '../projector/runner.ts'
import { type Follower, type FollowerOptions, logFollower } from '../shop/hot/follower.ts'
import { type HotStates, hotStates } from '../shop/hot/hot-states.ts'
import { type CommandContext, systemCaller } from '../shop/command-context.ts'
import type { KnownOrders } from '../commands/erase-customer.ts'
import { allPolicies } from '../workers/policies.ts'
import type { Policy } from '../workers/policy.ts'
import type { Engines } from './shop-engines.ts'
import type { World } from './world.ts'

/** A shop in this process. */
export interface Shop {
  readonly context: CommandContext
  /** Updates the in-memory states from the log; start it before `load`. */
  follower(on: Pick<FollowerOptions, 'onEvents' | 'onTrouble' | 'onDamaged'>): Follower
  /** Loads the in-memory states; gives a new shop its stock and settings. */
  load(progress?: (text: string) => void): Promise<void>
  /** Reads views. Given this process's runner, a wait ends as soon as the views catch up. */
  reader(runner?: Pick<Runner, 'waitFor'>): Views
  /** Policies that find their work in `views`; `known`: the orders of a customer to erase, by default from `views`. */
  policies(views: Views, known?: KnownOrders): Policy[]
}

/**
 * Assembles a shop, for production, tests, seeding and simulation: `assembleShop(engines, worldOf(config))`. Starts nothing; call
 * `load()` before the first command.
 */
export function assembleShop(
  engines: Pick<Engines, 'log' | 'vault' | 'keys' | 'views'>,
  world: World,
  /** In-memory states for several assemblies to share. */
  sharedHot?: HotStates,
): Shop {
  const { log, vault, keys, views: store } = engines
  const { clock, random, providers, config, projections, shape } = world
  const hot = sharedHot ?? hotStates({ log, clock, random, stockFile: world.stockFile })
  const context: CommandContext = { log, vault, keys, hot, providers, config, clock, random }
  return {
    context,
    follower: (on) => logFollower({ log, hot, clock, ...on }),
    async load(progress) {
      await hot.load(progress)
      await assertBuyersKnown(context)
      await initializeShop(context, systemCaller(random))
    },
    reader: (runner) => viewReader({ store, shape, projections, now: () => clock.now(), runner }),
    policies: (readers, known) => allPolicies(context, readers, { ...world, known }),
  }
}

import { assertBuyersKnown } from '../commands/check-buyers.ts'
import { initializeShop } from '../commands/initialize-shop.ts'
import type { EventLog } from '../log/event-log.ts'
import type { Views } from '../projections/shop-views.ts'
import { viewReader } from '../projector/view-reader.ts'
import type { Runner } from '../projector/runner.ts'
import { type Follower, type FollowerOptions, logFollower } from '../shop/hot/follower.ts'
import { type HotStates, hotStates } from '../shop/hot/hot-states.ts'
import type { ShopKeys } from '../shop/keys.ts'
import { type Shop, systemCaller } from '../shop/shop.ts'
import type { Vault } from '../engines/vault/vault.ts'
import type { ViewStore } from '../engines/view-store/view-store.ts'
import type { KnownOrders } from '../commands/erase-customer.ts'
import { allPolicies } from '../workers/policies.ts'
import type { Policy } from '../workers/policy.ts'
import type { World } from './world.ts'

/** The engines of a shop. */
export interface ShopEngines {
  readonly log: EventLog
  readonly vault: Vault
  readonly keys: ShopKeys
  readonly views: ViewStore
  /** In-memory states for several assemblies to share; by default, new ones. */
  readonly hot?: HotStates
}

export interface AssembledShop {
  readonly shop: Shop
  /** Updates the in-memory states from the log; start it before `load`. */
  follower(on: Pick<FollowerOptions, 'onEvents' | 'onTrouble'>): Follower
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
export function assembleShop(engines: ShopEngines, world: World): AssembledShop {
  const { log, vault, keys, views: store } = engines
  const { clock, random, providers, terms, projections, shape } = world
  const hot = engines.hot ?? hotStates({ log, clock, random, stockFile: world.stockFile })
  const shop: Shop = { log, vault, keys, hot, providers, terms, clock, random }
  return {
    shop,
    follower: (on) => logFollower({ log, hot, clock, ...on }),
    async load(progress) {
      await hot.load(progress)
      await assertBuyersKnown(shop)
      await initializeShop(shop, systemCaller(random))
    },
    reader: (runner) => viewReader({ store, shape, projections, now: () => clock.now(), runner }),
    policies: (readers, known) => allPolicies(shop, readers, { ...world, known }),
  }
}

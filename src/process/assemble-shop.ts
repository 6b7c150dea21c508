import { assertBuyersKnown } from '../commands/check-buyers.ts'
import { openShop } from '../commands/open-shop.ts'
import type { EventLog } from '../engines/event-store/event-log.ts'
import type { Views } from '../projections/shop-views.ts'
import { viewReader } from '../projector/view-reader.ts'
import type { Runner } from '../projector/runner.ts'
import { Follower, type FollowerOptions } from '../shop/hot/follower.ts'
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
  /** The states in memory, where several assemblies are to share them; made anew otherwise. */
  readonly hot?: HotStates
}

export interface AssembledShop {
  readonly shop: Shop
  /** Follows the log for the states in memory; to be started before `open`. */
  follower(on: Pick<FollowerOptions, 'onEvents' | 'onTrouble'>): Follower
  /** Loads the states in memory; a new shop gets its stock and settings. */
  open(progress?: (text: string) => void): Promise<void>
  /** How views are read; with the runner of this process, waiting ends the moment it is there. */
  reader(runner?: Pick<Runner, 'waitFor'>): Views
  /** Background work, found in these views; `known`: what erasing a customer reads, by default from them. */
  policies(views: Views, known?: KnownOrders): Policy[]
}

/**
 * Puts a shop together, for the product, tests, seeding and simulation alike: `assembleShop(engines, worldOf(config))`. It starts nothing;
 * `open()` comes before the first command.
 */
export function assembleShop(engines: ShopEngines, world: World): AssembledShop {
  const { log, vault, keys, views: store } = engines
  const { clock, random, providers, terms, projections, shape } = world
  const hot = engines.hot ?? hotStates({ log, clock, random, stockFile: world.stockFile })
  const shop: Shop = { log, vault, keys, hot, providers, terms, clock, random }
  return {
    shop,
    follower: (on) => new Follower({ log, hot, clock, ...on }),
    async open(progress) {
      await hot.load(progress)
      await assertBuyersKnown(shop)
      await openShop(shop, systemCaller(random))
    },
    reader: (runner) => viewReader({ store, shape, projections, now: () => clock.now(), runner }),
    policies: (readers, known) => allPolicies(shop, readers, { ...world, known }),
  }
}

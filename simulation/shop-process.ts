import { type Shop, assembleShop } from '../src/process/assemble-shop.ts'
import type { HotStates } from '../src/shop/hot/hot-states.ts'
import type { ShopKeys } from '../src/shop/keys.ts'
import type { Delivery } from '../src/commands/deliver-order.ts'
import type { Clock, Random } from '../src/ports/clock-and-random.ts'
import type { Caller, CommandContext } from '../src/shop/command-context.ts'
import { systemCaller } from '../src/shop/command-context.ts'
import { byMethod } from '../src/domain/payment-methods.ts'
import type { Actor, DeliveryMode } from '../src/domain/words.ts'
import { orderStream } from '../src/domain/stream-names.ts'
import type { Projection } from '../src/projections/projection.ts'
import { projectionRunner, type Runner } from '../src/projector/runner.ts'
import type { Policy } from '../src/workers/policy.ts'
import type { World as ShopWorld } from '../src/process/world.ts'
import {
  outwardCall,
  simulatedLog,
  simulatedProvider,
  simulatedSleep,
  simulatedVault,
  simulatedViews,
  type World,
} from './engines.ts'
import type { Config } from './config.ts'
import type { Messenger } from './sender.ts'
import { never, runs, type SimulatedProcess, Thread } from './scheduler.ts'

const POLL_MS = 3_000
/** How long the bot remembers an Idempotency-Key. */
const KEYS_KEPT_MS = 90 * 60_000

/** The bot did not answer. */
class BotAway extends Error {
  override readonly name = 'BotAway'
}

/** What all processes of a shop share. */
interface Host {
  readonly parts: { readonly world: World; readonly keys: ShopKeys; readonly random: Random; readonly config: Config }
  readonly projections: readonly Projection[]
  /** With a rule switched off, the bot is called after a delay. */
  readonly dawdlesBeforeCalls: boolean
  /** Replaces parts of the product when a rule is switched off. */
  readonly wrapShop: (shop: CommandContext, thread: Thread) => CommandContext
}

export const SHAPE = 'simulated'

/** One process of the shop, with its own memory, on shared engines. */
export class ShopProcess implements SimulatedProcess {
  readonly name: string
  isAlive = true
  deliveryMode: DeliveryMode
  readonly hot: HotStates
  readonly main: Thread
  readonly runner: Runner
  /** A runner folds one page at a time. */
  isProjecting = false
  policies: readonly Policy[] = []
  sender: Messenger | undefined
  /** A sender takes one turn at a time. */
  isTelling = false
  private readonly host: Host
  private threads = 0

  constructor(host: Host, name: string, deliveryMode: DeliveryMode) {
    this.host = host
    this.name = name
    this.deliveryMode = deliveryMode
    this.main = new Thread(this, name)
    this.hot = assembleShop(this.engines(this.main), this.outside(this.main)).context.hot
    const { scheduler } = host.parts.world
    const { log, views: store } = this.engines(this.main)
    const clock = { now: () => scheduler.nowMs, sleep: async () => undefined }
    const { projections } = host
    this.runner = projectionRunner({ log, logId: 'simulated', store, shape: SHAPE, projections, clock, owner: SHAPE })
  }

  async project(): Promise<void> {
    this.isProjecting = true
    await this.runner.runOnce()
    this.isProjecting = false
  }

  async tell(): Promise<void> {
    this.isTelling = true
    await this.sender?.turn()
    this.isTelling = false
  }

  /** Like a restart with another configuration; running threads keep theirs. */
  configure(deliveryMode: DeliveryMode): void {
    this.deliveryMode = deliveryMode
    this.main.deliveryMode = deliveryMode
  }

  thread(what: string): Thread {
    this.threads += 1
    return new Thread(this, `${this.name}.${this.threads} ${what}`, this.host.parts.world.scheduler.step + 1)
  }

  /** The shop as one thread uses it; the process's memory is shared. */
  assembled(thread: Thread): Shop {
    const engines = this.engines(thread)
    const hot = { ...this.hot, orders: this.ordersFor(thread) }
    const world = this.outside(thread)
    const wrapped = this.host.wrapShop(assembleShop(engines, world, hot).context, thread)
    return assembleShop({ ...engines, ...wrapped }, { ...world, ...wrapped }, wrapped.hot)
  }

  private engines(thread: Thread) {
    const { world, keys } = this.host.parts
    const views = simulatedViews(world, thread)
    return { log: simulatedLog(world, thread), vault: simulatedVault(world, thread), views, keys }
  }

  private outside(thread: Thread): ShopWorld {
    const { projections } = this.host
    const { world, config, random } = this.host.parts
    return {
      clock: this.clock(thread),
      random,
      providers: byMethod((method) => [simulatedProvider(world, thread, method)]),
      pollMs: POLL_MS,
      deliveryCall: this.deliveryCall(thread),
      config: { ...config.shop, DELIVERY: thread.deliveryMode },
      projections,
      shape: SHAPE,
    }
  }

  /** The process's cache of orders; calls of a stopped thread never resolve. */
  private ordersFor(thread: Thread): HotStates['orders'] {
    return {
      ...this.hot.orders,
      read: async (orderId) => {
        const history = await this.hot.orders.read(orderId)
        if (!runs(thread)) return never()
        thread.reads.set(orderStream(orderId), history.events.length)
        return history
      },
    }
  }

  private deliveryCall(thread: Thread): (delivery: Delivery) => Promise<void> {
    const { world } = this.host.parts
    return async ({ orderId }) => {
      if (this.host.dawdlesBeforeCalls) await this.clock(thread).sleep(1)
      world.onDelivery(orderId, thread)
      await outwardCall(world, thread, {
        name: `deliver ${orderId.slice(0, 6)}`,
        away: () => new BotAway('simulated'),
        faults: { away: 'bot-away', silent: 'bot-silent' },
        work() {
          // The key allows one delivery per order, while the bot remembers it.
          const givenMs = world.botGave.get(orderId)
          if (givenMs !== undefined && world.scheduler.nowMs - givenMs < KEYS_KEPT_MS) return
          world.onGiven(orderId)
          world.botGave.set(orderId, world.scheduler.nowMs)
        },
      })
    }
  }

  caller(actor: Actor, thread: Thread): Caller {
    const caller = { ...systemCaller(this.host.parts.random), actor }
    this.host.parts.world.callers.set(caller.correlationId, thread)
    return caller
  }

  private clock(thread: Thread): Clock {
    const { world } = this.host.parts
    const { scheduler } = world
    return {
      now: () => scheduler.nowMs + world.clockError(this.name),
      sleep: async (ms) => simulatedSleep(scheduler, thread, ms),
    }
  }
}

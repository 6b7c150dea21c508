import type { Actor } from '../../domain/words.ts'
import { placeOrder } from '../../commands/place-order.ts'
import { quoteBy } from '../../commands/quote-order.ts'
import { byBuyerText } from '../../domain/order/buyer-texts.ts'
import { expiryOf, watchUntil } from '../../domain/order/deadline.ts'
import { endedAt } from '../../domain/order/order-state.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import { marketIdAmounts } from '../../domain/pricing.ts'
import { findPlacedOrder } from '../../shop/handle-order.ts'
import { writeInventorySnapshot } from '../../shop/hot/inventory-snapshot.ts'
import { type Caller, type CommandContext, systemCaller } from '../../shop/command-context.ts'
import { calendar, firstPlacingMs, MINUTE_MS, type Placing, SPAN_DAYS } from './story-calendar.ts'
import type { NewShop } from './new-shop.ts'
import { deliveryModeAt, isMethodOff, LOW_STOCK_M, ownersPlan, setting, stock } from './owner.ts'
import { buyers, type Person } from './people.ts'
import { openStories, preOrderStories, type Step, stories, storyTeller } from './stories.ts'

/** Small quantities sell best. */
const quantitiesM = [1, 5, 10, 10, 20, 20, 50, 50, 60, 100, 150, 200, 300, 500, 1_000]
const MEAN_QUANTITY_M = quantitiesM.reduce((sum, quantityM) => sum + quantityM, 0) / quantitiesM.length
/** A restock covers the sales of these days. */
const RESTOCK_DAYS = 10
const RESTOCK_MIN_M = 20_000

/** Fills a new shop with two years of orders up to `nowMs`, by its own commands, in the order of their times. */
export async function seedOrders(
  newShop: NewShop,
  options: { count: number; nowMs: number; onProgress?: (placed: number) => void },
): Promise<void> {
  const { context } = newShop
  const { count, nowMs, onProgress } = options
  const firstMs = firstPlacingMs(nowMs)
  const shareOf = (ms: number): number => (ms - firstMs) / (nowMs - firstMs)
  const { placings, shortages } = calendar(count, nowMs)
  /** Entries to come, the next one last; of the same time, the one added first is nearer to the end. */
  const agenda: Entry[] = []
  let nextMinuteMs = 0
  const nextBuyer = buyers(context.random)
  const tell = { usual: storyTeller(stories), short: storyTeller(preOrderStories), open: storyTeller(openStories) }
  const restocked = stock(Math.max(RESTOCK_MIN_M, Math.ceil((count / SPAN_DAYS) * RESTOCK_DAYS * MEAN_QUANTITY_M)))

  for (const [share, act] of ownersPlan()) add(firstMs + share * (nowMs - firstMs), by('staff', act))
  for (const { fromMs, untilMs } of shortages) {
    add(fromMs, by('staff', setting({ preOrdersEnabled: true })))
    add(fromMs, by('staff', stock(0)))
    add(untilMs, by('staff', restocked))
    add(untilMs, by('staff', setting({ preOrdersEnabled: false })))
  }

  /** An immediate follow-up waits for the next minute. */
  function add(atMs: number, happen: Entry['happen']): void {
    const entry = { atMs: Math.max(Math.floor(atMs), nextMinuteMs), happen }
    let [low, high] = [0, agenda.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((agenda[middle]?.atMs ?? 0) > entry.atMs) low = middle + 1
      else high = middle
    }
    agenda.splice(low, 0, entry)
  }

  async function place(at: CommandContext, { atMs, isOpen }: Placing): Promise<void> {
    const shortage = shortages.find(({ fromMs, untilMs }) => atMs >= fromMs && atMs < untilMs)
    if (!shortage && at.hot.inventory.state.freeM < LOW_STOCK_M) await by('staff', restocked)(at)
    const [, , method, steps] = tell[isOpen ? 'open' : shortage ? 'short' : 'usual'](
      at.random,
      ([, , wanted, , delivery]) => {
        const isPossible = delivery === undefined || delivery === at.config.DELIVERY
        return isPossible && !isMethodOff(wanted, shareOf(atMs))
      },
    )
    const orderId = await placeFor(at, nextBuyer(), method)
    await follow(at, { orderId, steps, restockMs: shortage?.untilMs })
  }

  async function follow(at: CommandContext, { steps, ...life }: Life): Promise<void> {
    const [step, ...rest] = steps
    if (!step) return
    add(await timeOf(at, step, life), async (then) => {
      await step.act(then, callerOf(then, step.by), life.orderId)
      await follow(then, { ...life, steps: rest })
    })
  }

  let placed = 0
  for (let placing = placings.next(); ;) {
    const due = agenda.at(-1)
    let entry = due
    if (!placing.done && !(due && due.atMs <= placing.value.atMs)) {
      const { value } = placing
      entry = { atMs: value.atMs, happen: async (at) => place(at, value) }
      placing = placings.next()
      placed += 1
    } else agenda.pop()
    if (!entry || entry.atMs > nowMs) break
    nextMinuteMs = (Math.floor(entry.atMs / MINUTE_MS) + 1) * MINUTE_MS
    newShop.moveTo(entry.atMs)
    await entry.happen({ ...context, config: { ...context.config, DELIVERY: deliveryModeAt(shareOf(entry.atMs)) } })
    onProgress?.(placed)
  }
  const { stockFile } = newShop
  if (stockFile !== undefined) await writeInventorySnapshot(stockFile, context.log, context.hot.inventory)
}

/** Something that happens at its time. */
interface Entry {
  readonly atMs: number
  readonly happen: (context: CommandContext) => Promise<unknown>
}

/** The remaining steps of an order. */
interface Life {
  readonly orderId: string
  readonly steps: readonly Step[]
  /** When there is stock again, if there was none. */
  readonly restockMs: number | undefined
}

async function timeOf(
  context: CommandContext,
  step: Step,
  { orderId, restockMs }: Omit<Life, 'steps'>,
): Promise<number> {
  const { after } = step
  const nowMs = context.clock.now()
  const soon = context.random.fraction() * MINUTE_MS
  if (after === 'restock') return restockMs ?? nowMs
  if (typeof after === 'number')
    return nowMs + after * MINUTE_MS * (step.by === 'system' ? 1 : 1 + context.random.fraction())
  const { state } = await findPlacedOrder(context, orderId)
  if (after === 'deadline') return Date.parse(expiryOf(state) ?? state.expiresAt) + soon
  return Date.parse(watchUntil(endedAt(state) ?? state.updatedAt)) + soon
}

async function placeFor(context: CommandContext, buyer: Person, paymentMethod: PaymentMethod): Promise<string> {
  const { marketId } = buyer
  const quantityM = quantitiesM[Math.floor(context.random.fraction() * quantitiesM.length)] ?? 1
  const { order } = await placeOrder(context, callerOf(context, 'buyer'), {
    idempotencyKey: undefined,
    ...byBuyerText((name) => buyer[name]),
    marketId,
    marketIds: marketIdAmounts(quantityM).map((amountM) => ({ marketId, amountM })),
    quantityM,
    totalCents: quoteBy(context.hot.currentSettings(), quantityM).totalCents,
    paymentMethod,
  })
  return order.placed.orderId
}

function by(
  actor: Actor,
  act: (context: CommandContext, caller: Caller) => Promise<unknown>,
): (context: CommandContext) => Promise<unknown> {
  return async (context) => act(context, callerOf(context, actor))
}

function callerOf({ random }: CommandContext, actor: Actor): Caller {
  return { ...systemCaller(random), actor }
}

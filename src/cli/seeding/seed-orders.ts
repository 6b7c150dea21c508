import { approveOrder } from '../../commands/approve-order.ts'
import { cancelOrder } from '../../commands/cancel-order.ts'
import { checkPayment } from '../../commands/check-payment.ts'
import { choosePaymentMethod } from '../../commands/choose-payment-method.ts'
import { deleteOrder } from '../../commands/delete-order.ts'
import { expireOrder } from '../../commands/expire-order.ts'
import { placeOrder } from '../../commands/place-order.ts'
import { quoteBy } from '../../commands/quote-order.ts'
import { reinstateOrder } from '../../commands/reinstate-order.ts'
import { setStock } from '../../commands/set-stock.ts'
import { settleAttention } from '../../commands/settle-attention.ts'
import { startPayment } from '../../commands/start-payment.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import { marketIdAmounts } from '../../domain/pricing.ts'
import type { Actor } from '../../event-store/event-log.ts'
import { findPlacedOrder } from '../../shop/handle-order.ts'
import { ADMIN_ID } from '../../shop/hot/hot-states.ts'
import { writeInventorySnapshot } from '../../shop/hot/inventory-snapshot.ts'
import { type Caller, type Shop, systemCaller } from '../../shop/shop.ts'
import type { NewShop } from './new-shop.ts'
import { buyers, type Person } from './people.ts'
import { type Act, openStory, storyTeller } from './stories.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SPAN_HOURS = 730 * 24
/** Orders still open at the end were placed within this time, so that none is overdue. */
const OPEN_MINUTES = 40
/** One order in a hundred is still open, within these bounds. */
const OPEN_SHARE = 0.01
const OPEN_MIN = 3
const OPEN_MAX = 300
/** Below 1, so that sales grow over time. */
const GROWTH = 0.7
/** Small quantities sell best. */
const quantitiesM = [1, 5, 10, 10, 20, 20, 50, 50, 60, 100, 150, 200, 300, 500, 1_000]
/** More than an hour's sales. */
const RESTOCKED_BELOW_M = 5_000_000
const RESTOCKED_TO_M = 10_000_000

/** When a shop whose last order is at `nowMs` was opened. */
export function firstPlacingMs(nowMs: number): number {
  return nowMs - SPAN_HOURS * HOUR_MS
}

/** The remaining actions of an order. */
interface Life {
  readonly orderId: string
  readonly placedMs: number
  readonly acts: (readonly [minutes: number, act: Act])[]
}

/**
 * Fills a new shop with two years of orders up to `nowMs`, by its own commands; those within an hour run concurrently, so that they share
 * transactions. Ends with the snapshot of the stock.
 */
export async function seedOrders(
  newShop: NewShop,
  options: { count: number; nowMs: number; onProgress?: (placed: number) => void },
): Promise<void> {
  const { shop } = newShop
  const { count, nowMs, onProgress } = options
  const nextBuyer = buyers(shop.random)
  const nextStory = storyTeller(shop.random)
  const firstMs = firstPlacingMs(nowMs)
  const hourOf = (ms: number): number => Math.floor((ms - firstMs) / HOUR_MS)
  /** By the hour of their next action. */
  const ahead = new Map<number, Life[]>()

  async function place({ atMs, isOpen }: Placing): Promise<Life> {
    const { method, acts } = isOpen ? openStory : nextStory()
    const orderId = await placeFor(newShop.at(atMs), nextBuyer(), method)
    return { orderId, placedMs: atMs, acts: [...acts] }
  }

  async function live({ orderId, placedMs, acts }: Life, untilMs: number): Promise<void> {
    for (let next = acts[0]; next; next = acts[0]) {
      const atMs = placedMs + next[0] * MINUTE_MS
      if (atMs >= untilMs) {
        const hour = hourOf(atMs)
        ahead.set(hour, [...(ahead.get(hour) ?? []), { orderId, placedMs, acts }])
        return
      }
      await perform(newShop, { orderId, atMs, act: next[1] })
      acts.shift()
    }
  }

  const placings = placingTimes(count, nowMs)
  let next = placings.next()
  let placed = 0
  for (let fromMs = firstMs; fromMs <= nowMs; fromMs += HOUR_MS) {
    const untilMs = Math.min(fromMs + HOUR_MS, nowMs + 1)
    await restock(newShop.at(fromMs))
    const lives = (ahead.get(hourOf(fromMs)) ?? []).map(async (life) => live(life, untilMs))
    ahead.delete(hourOf(fromMs))
    for (; !next.done && next.value.atMs < untilMs; next = placings.next()) {
      lives.push(place(next.value).then(async (life) => live(life, untilMs)))
      placed += 1
    }
    await Promise.all(lives)
    onProgress?.(placed)
  }
  await writeInventorySnapshot(shop.log, shop.hot.inventory)
}

interface Placing {
  readonly atMs: number
  /** Placed just now, without further actions. */
  readonly isOpen: boolean
}

/** When each of `count` orders is placed, oldest first: with growing frequency, and a few just now. */
function* placingTimes(count: number, nowMs: number): Generator<Placing, undefined> {
  const open = Math.min(Math.max(Math.ceil(count * OPEN_SHARE), OPEN_MIN), OPEN_MAX, count)
  const ended = count - open
  const openFromMs = nowMs - OPEN_MINUTES * MINUTE_MS
  const fromMs = firstPlacingMs(nowMs)
  for (let index = 0; index < ended; index += 1)
    yield { atMs: Math.floor(fromMs + (openFromMs - fromMs) * (index / ended) ** GROWTH), isOpen: false }
  for (let index = 0; index < open; index += 1)
    yield { atMs: Math.floor(openFromMs + (OPEN_MINUTES * MINUTE_MS * index) / open), isOpen: true }
  return undefined
}

async function restock(shop: Shop): Promise<void> {
  if (shop.hot.inventory.state.freeM >= RESTOCKED_BELOW_M) return
  const request = { stockM: RESTOCKED_TO_M, seenM: undefined, editKey: null, adminId: ADMIN_ID }
  await setStock(shop, by(shop, 'staff'), request)
}

async function placeFor(shop: Shop, buyer: Person, paymentMethod: PaymentMethod): Promise<string> {
  const { customerEmail, discordUsername, marketId } = buyer
  const quantityM = quantitiesM[Math.floor(shop.random.fraction() * quantitiesM.length)] ?? 1
  const { order } = await placeOrder(shop, by(shop, 'buyer'), {
    idempotencyKey: undefined,
    customerEmail,
    discordUsername,
    marketId,
    marketIds: marketIdAmounts(quantityM).map((amountM) => ({ marketId, amountM })),
    quantityM,
    totalCents: quoteBy(shop.hot.currentSettings(), quantityM).totalCents,
    paymentMethod,
  })
  return order.placed.orderId
}

async function perform(
  newShop: NewShop,
  { orderId, atMs, act }: { orderId: string; atMs: number; act: Act },
): Promise<void> {
  const adminId = ADMIN_ID
  const shop = newShop.at(atMs, act.type === 'pay' ? act.play : undefined)
  switch (act.type) {
    case 'pay': {
      const { method } = act
      const unasked = { isAmountRight: () => true, payCurrency: undefined, phone: undefined }
      await startPayment(shop, by(shop, 'buyer'), { orderId, method, ...unasked })
      return
    }
    case 'choose':
      await choosePaymentMethod(shop, by(shop, 'buyer'), { orderId, paymentMethod: act.method })
      return
    case 'check': {
      const { state } = await findPlacedOrder(shop, orderId)
      for (const { attempt } of state.attempts) await checkPayment(shop, by(shop, 'system'), { orderId, attempt })
      return
    }
    case 'expire':
      await expireOrder(shop, by(shop, 'system'), { orderId })
      return
    case 'reinstate':
      return reinstateOrder(shop, by(shop, 'system'), { orderId })
    case 'cancel':
      await cancelOrder(shop, by(shop, 'buyer'), { orderId })
      return
    case 'approve':
      await approveOrder(shop, by(shop, 'staff'), { orderId, adminId })
      return
    case 'settle': {
      const { revision } = await findPlacedOrder(shop, orderId)
      await settleAttention(shop, by(shop, 'staff'), { orderId, adminId, revision })
      return
    }
    case 'delete':
      await deleteOrder(shop, by(shop, 'staff'), { orderId, adminId, coinsGiven: null })
  }
}

function by({ random }: Pick<Shop, 'random'>, actor: Actor): Caller {
  return { ...systemCaller(random), actor }
}

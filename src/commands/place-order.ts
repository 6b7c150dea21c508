import { order as orderDecider } from '../domain/order/order.ts'
import { type BuyerTexts, byBuyerText } from '../domain/order/buyer-texts.ts'
import { holdMinutes } from '../domain/order/deadline.ts'
import { plusMinutes } from '../domain/plus-minutes.ts'
import { noOrder, type OrderState, type PlacedOrder } from '../domain/order/order-state.ts'
import { type MarketIdAmount, marketIdsFor } from '../domain/market-ids.ts'
import { reservationFor, tooLittleStock } from '../domain/inventory/inventory.ts'
import { Refusal } from '../domain/refusal.ts'
import type { OrderEventData } from '../domain/order/events.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import { orderStream } from '../domain/stream-names.ts'
import type { Caller, Personal } from '../log/event-log.ts'
import { NO_EVENTS, type Position, START } from '../engines/event-store/event-store.ts'
import { NONCE_BYTES, seal } from '../log/sealing.ts'
import type { CustomerKey } from '../engines/vault/vault.ts'
import { meetsBlock } from '../shop/blocks.ts'
import { type Folded, handleAt, readState } from '../shop/handle-command.ts'
import { assertMethodOn, assertSomeMethodOn, retryOnFreshState } from '../shop/providers.ts'
import { CLAIMS_MAX, reserveSerial } from '../shop/reserve-for-order.ts'
import { endReservation } from './end-reservation.ts'
import { assertQuoted, quoteBy } from './quote-order.ts'
import { wordsOf } from '../shop/shop-facts.ts'
import { ShopBusy } from '../shop/shop-busy.ts'
import { callerFor, nowText, type CommandContext } from '../shop/command-context.ts'

export interface OrderRequest extends BuyerTexts {
  readonly idempotencyKey: string | undefined
  readonly marketId: string
  readonly marketIds: readonly MarketIdAmount[] | undefined
  readonly quantityM: number
  /** The total that the buyer was shown; undefined if it is not a valid amount. */
  readonly totalCents: number | undefined
  readonly paymentMethod: PaymentMethod | null
}

export interface PlaceOrderResult {
  readonly order: PlacedOrder
  readonly position: Position
  readonly isReplay: boolean
}

/** A quoted order, of which nothing is written yet. */
export interface QuotedOrder {
  readonly quantityM: number
  /** Quantity that can still be bought. */
  readonly freeM: number
  readonly marketIds: Personal['marketIds']
  readonly emailHmac: string
}

/** A place among the unpaid orders. */
export interface OrderPlace {
  /** Its coins are held for a shorter time. */
  readonly isLargeHold: boolean
  /** The order was placed: it holds the place until it is covered or ends. */
  bindTo(orderId: string): void
  /** The order was not placed. */
  release(): void
}

/** Called between the quote and the reservation. Throws if the order's buyer has too many. */
export type Admit = (order: QuotedOrder) => Promise<OrderPlace>

const KEY_BYTES = 32

/** Places an order, or returns the one that the same request has placed. The order exists once OrderPlaced is appended. */
export async function placeOrder(
  context: CommandContext,
  caller: Caller,
  request: OrderRequest,
  admit: Admit = async () => anyPlace,
): Promise<PlaceOrderResult> {
  const { idempotencyKey } = request
  const orderId = idempotencyKey === undefined ? context.random.uuid() : context.keys.orderIdFor(idempotencyKey)
  // Empty texts are left out: an upgrade that adds a text keeps the hash of a request sent before.
  const requestHash = context.keys.fingerprint(
    JSON.stringify(request, (_name, value: unknown) => (value === '' ? undefined : value)),
  )
  const read = async () => readState(context, orderDecider, orderStream(orderId))
  // Without a reservation it is most likely new: its claim conflicts if it was placed before.
  const first = context.hot.inventory.state.serialsOf.get(orderId) ? await read() : unread
  const placedBefore = replayOf(first, requestHash)
  if (placedBefore) return placedBefore
  try {
    return await placeNew(context, caller, { request, orderId, requestHash, read: first }, admit)
  } catch (error) {
    if (idempotencyKey === undefined) throw error
    // What the first try got must not be refused to its repeat.
    const now = await read().catch(() => unread)
    const placed = replayOf(now, requestHash)
    if (placed) return placed
    throw error
  }
}

async function placeNew(
  context: CommandContext,
  caller: Caller,
  { request, orderId, requestHash, read }: Pick<Claim, 'request' | 'orderId' | 'requestHash'> & { read: OrderRead },
  admit: Admit,
): Promise<PlaceOrderResult> {
  const { quantityM } = request
  const marketIds = marketIdsFor(quantityM, request)
  const claim = { orderId, claimAt: read.state.next }
  const offer = await retryOnFreshState(context, () => offerFor(context, request, claim))
  const emailHmac = context.keys.emailHmac(request.customerEmail)
  const place = await admit({ quantityM, freeM: offer.freeM, marketIds, emailHmac })
  let isPlaced = false
  try {
    if (await meetsBlock(context, { email: request.customerEmail, name: request.discordUsername }))
      throw new Refusal('order/not-accepted', notAcceptedText(context))
    // Fails before reserving if the vault cannot store the buyer.
    await customerOf(context, emailHmac)
    const quoted = { request, orderId, requestHash, marketIds, offer, emailHmac, isLargeHold: place.isLargeHold }
    const result = await reserveAndClaim(context, caller, quoted, read)
    isPlaced = !result.isReplay
    if (isPlaced) place.bindTo(orderId)
    return result
  } finally {
    if (!isPlaced) place.release()
  }
}

export const anyPlace: OrderPlace = { isLargeHold: false, bindTo: () => undefined, release: () => undefined }

/** Says neither what is blocked nor why. */
function notAcceptedText({ config }: CommandContext): string {
  return `The shop cannot take this order; if you think that this is a mistake, write to us: ${config.PUBLIC_URL}/contact`
}

type OrderRead = Folded<OrderState>

interface Claim {
  readonly request: OrderRequest
  readonly orderId: string
  readonly requestHash: string
  readonly marketIds: Personal['marketIds']
  readonly offer: ReturnType<typeof offerFor>
  readonly emailHmac: string
  readonly isLargeHold: boolean
}

async function reserveAndClaim(
  context: CommandContext,
  caller: Caller,
  order: Claim,
  firstRead: OrderRead,
): Promise<PlaceOrderResult> {
  const { request, orderId, requestHash, isLargeHold, emailHmac } = order
  const { settingsRevision, quoted, preOrder, reservedM } = order.offer
  const { ORDER_TTL_MINUTES, OPEN_ORDERS_MAX: openMax, paisePerUsd } = context.config
  const stream = orderStream(orderId)
  const personal: Personal = { ...byBuyerText((name) => request[name]), marketIds: order.marketIds }
  let read = firstRead
  let outdatedSerials: number[] = []
  for (let turn = 0; turn < CLAIMS_MAX; turn += 1) {
    const at = nowText(context)
    const claimAt = read.state.next
    const step = callerFor(caller, `claim-${turn}`)
    // A crash after this leaves a reservation without an order: `end-abandoned-reservations` fences the claim and releases it.
    const serial = await reserveSerial(context, step, {
      orderId,
      claimAt,
      quantityM: reservedM,
      outdatedSerials,
      openMax,
    })
    if (serial === undefined) throw new ShopBusy(`the reservation of ${stream} has ended`)
    // Read after reserving: a later erasure of this buyer waits for the claim, and after an earlier one the e-mail is a new customer.
    const customer = await customerOf(context, emailHmac)
    const placed: OrderEventData<'OrderPlaced'> = {
      orderId,
      serial,
      orderNumber: context.keys.orderNumber(serial),
      customerId: customer.customerId,
      personal: seal(customer, JSON.stringify(personal), stream, context.random.bytes(NONCE_BYTES)),
      requestHash,
      ...quoted,
      paymentMethod: request.paymentMethod,
      preOrder,
      settingsRevision,
      paisePerUsd,
      isLargeHold,
      expiresAt: plusMinutes(at, holdMinutes(ORDER_TTL_MINUTES, isLargeHold)),
      at,
    }
    const command = { type: 'PlaceOrder', placed } as const
    const claimed = await handleAt(context, orderDecider, { stream, command, caller: step, at: read })
    if (claimed) {
      context.hot.orders.add(orderId, claimed, step)
      return { order: placedOrder(claimed.state), position: claimed.position, isReplay: false }
    }
    read = await readState(context, orderDecider, stream)
    const placedBefore = replayOf(read, requestHash)
    if (placedBefore) {
      // It may be the order's own, which stays.
      await endReservation(context, step, { orderId, claimAt, serial })
      return placedBefore
    }
    // Another event has the revision of this claim, so the serial can never be claimed.
    if (read.state.next > claimAt) outdatedSerials = [serial]
  }
  throw new ShopBusy(`${stream} was abandoned ${CLAIMS_MAX} times`)
}

/** The offer by settings and stock; refuses what the shop does not sell. */
function offerFor(context: CommandContext, request: OrderRequest, claim: { orderId: string; claimAt: number }) {
  const settings = context.hot.currentSettings()
  assertSomeMethodOn(context)
  assertMethodOn(context, request.paymentMethod)
  const quoted = quoteBy(settings, request.quantityM)
  assertQuoted(quoted, request.totalCents, context.config.paisePerUsd)
  const { freeM } = context.hot.inventory.state
  // An earlier attempt of this request may have reserved; the reservation decides the kind of order.
  const standing = reservationFor(context.hot.inventory.state, claim)
  const exceedsStock = standing ? standing.quantityM === 0 : request.quantityM > freeM
  const preOrder = exceedsStock && settings.preOrdersEnabled
  if (exceedsStock && !preOrder) throw tooLittleStock(freeM, wordsOf(context).coins)
  return {
    settingsRevision: Math.max(context.hot.settings.revision, 0),
    quoted,
    preOrder,
    /** Quantity taken from the stock. */
    reservedM: preOrder ? 0 : request.quantityM,
    /** Quantity that can still be bought. */
    freeM,
  }
}

const unread: OrderRead = { state: noOrder, revision: NO_EVENTS, position: START }

async function customerOf(context: CommandContext, emailHmac: string): Promise<CustomerKey> {
  return context.vault.customerByEmail(emailHmac, {
    customerId: context.random.uuid(),
    key: context.random.bytes(KEY_BYTES),
  })
}

/** The order that the same request has placed before; refuses a key that belongs to another request. */
function replayOf(
  { state, position }: { state: OrderState; position: Position },
  requestHash: string,
): PlaceOrderResult | undefined {
  if (state.kind === 'none') return undefined
  if (state.placed.requestHash !== requestHash)
    throw new Refusal('order/key-reused', 'This Idempotency-Key belongs to another order.')
  return { order: state, position, isReplay: true }
}

function placedOrder(order: OrderState): PlacedOrder {
  if (order.kind === 'none') throw new Error('the order was placed but its stream is empty')
  return order
}

import { order as orderDecider } from '../domain/order/order.ts'
import { type BuyerTexts, byBuyerText } from '../domain/order/buyer-texts.ts'
import { holdMinutes } from '../domain/order/deadline.ts'
import { plusMinutes } from '../domain/plus-minutes.ts'
import { noOrder, type OrderState, type PlacedOrder } from '../domain/order/order-state.ts'
import { type MarketIdAmount, marketIdsFor } from '../domain/market-ids.ts'
import { reservationFor } from '../domain/inventory/inventory.ts'
import { fold } from '../domain/decider.ts'
import { Refusal } from '../domain/refusal.ts'
import type { OrderEventData } from '../domain/order/events.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import { orderStream } from '../domain/stream-names.ts'
import type { Caller, Personal } from '../log/event-log.ts'
import { AppendConflict, type Position, START } from '../engines/event-store/event-store.ts'
import { NONCE_BYTES, seal } from '../log/sealing.ts'
import type { CustomerKey } from '../engines/vault/vault.ts'
import { decidedBy, readState } from '../shop/handle-command.ts'
import { assertMethodOn, assertSomeMethodOn, retryOnFreshState } from '../shop/providers.ts'
import { reserveSerial } from '../shop/reserve-for-order.ts'
import { assertQuoted, quoteBy } from './quote-order.ts'
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

/** An order ready to be placed; nothing is written yet. */
export interface PreparedOrder {
  readonly request: OrderRequest
  readonly orderId: string
  readonly requestHash: string
  readonly read: { readonly state: OrderState; readonly position: Position }
  readonly marketIds: Personal['marketIds']
  readonly offer: ReturnType<typeof offerFor>
  readonly emailHmac: string
}

/** A concurrent sweep may fence our claim once; twice within one request means that the shop is overloaded. */
const CLAIMS_MAX = 2
const KEY_BYTES = 32

/** Quotes an order and refuses what the shop does not sell. Returns the order if the same request has placed it. */
export async function prepareOrder(
  context: CommandContext,
  request: OrderRequest,
): Promise<PreparedOrder | PlaceOrderResult> {
  const { idempotencyKey } = request
  const orderId = idempotencyKey === undefined ? context.random.uuid() : context.keys.orderIdFor(idempotencyKey)
  // Empty texts are left out: an upgrade that adds a text keeps the hash of a request sent before.
  const requestHash = context.keys.fingerprint(
    JSON.stringify(request, (_name, value: unknown) => (value === '' ? undefined : value)),
  )
  const read = idempotencyKey === undefined ? unread : await readState(context, orderDecider, orderStream(orderId))
  const replayed = replayOf(read, requestHash)
  if (replayed) return replayed
  const marketIds = marketIdsFor(request.quantityM, request)
  const claim = { orderId, claimAt: read.state.next }
  const offer = await retryOnFreshState(context, () => offerFor(context, request, claim))
  const emailHmac = context.keys.emailHmac(request.customerEmail)
  return { request, orderId, requestHash, read, marketIds, offer, emailHmac }
}

export async function placeOrder(
  context: CommandContext,
  caller: Caller,
  request: OrderRequest,
  hold?: { isLargeHold: boolean },
): Promise<PlaceOrderResult> {
  const prepared = await prepareOrder(context, request)
  return 'isReplay' in prepared ? prepared : placePrepared(context, caller, prepared, hold)
}

/** Places an order; a large hold is reserved for a shorter time. The order exists once OrderPlaced is appended. */
export async function placePrepared(
  context: CommandContext,
  caller: Caller,
  prepared: PreparedOrder,
  { isLargeHold }: { isLargeHold: boolean } = { isLargeHold: false },
): Promise<PlaceOrderResult> {
  const { request, orderId, requestHash, marketIds, emailHmac } = prepared
  const { settingsRevision, quoted, preOrder, reservedM } = prepared.offer
  const stream = orderStream(orderId)
  let { read } = prepared
  // Fails before reserving if the vault cannot store the buyer.
  await customerOf(context, emailHmac)
  const { paymentMethod } = request
  const personal: Personal = { ...byBuyerText((name) => request[name]), marketIds }

  let fencedSerials: number[] = []
  for (let turn = 0; turn < CLAIMS_MAX; turn += 1) {
    const at = nowText(context)
    const claimAt = read.state.next
    const step = callerFor(caller, `claim-${turn}`)
    // A crash after this leaves a reservation without an order: `end-abandoned-reservations` fences the claim and releases it.
    const { OPEN_ORDERS_MAX: openMax } = context.config
    const reservation = { orderId, claimAt, quantityM: reservedM, outdatedSerials: fencedSerials, openMax }
    const serial = await reserveSerial(context, step, reservation)
    if (serial === undefined) throw new ShopBusy(`the reservation of ${stream} has ended`)
    // Read after reserving: a later erasure of this buyer waits for the claim, and after an earlier one the e-mail is a new customer.
    const customer = await customerOf(context, emailHmac)
    const sealed = seal(customer, JSON.stringify(personal), stream, context.random.bytes(NONCE_BYTES))
    const placed: OrderEventData<'OrderPlaced'> = {
      orderId,
      serial,
      orderNumber: context.keys.orderNumber(serial),
      customerId: customer.customerId,
      personal: sealed,
      requestHash,
      ...quoted,
      paymentMethod,
      preOrder,
      settingsRevision,
      paisePerUsd: context.config.paisePerUsd,
      isLargeHold,
      expiresAt: plusMinutes(at, holdMinutes(context.config.ORDER_TTL_MINUTES, isLargeHold)),
      at,
    }
    const events = orderDecider.decide({ type: 'PlaceOrder', placed }, read.state)
    try {
      const { position } = await context.log.append(stream, claimAt - 1, decidedBy(step, events))
      return { order: placedOrder(fold(orderDecider, events, read.state)), position, isReplay: false }
    } catch (error) {
      if (!(error instanceof AppendConflict)) throw error
      read = await readState(context, orderDecider, stream)
      const placedBefore = replayOf(read, requestHash)
      if (placedBefore) return placedBefore
      // Another event has the revision of this claim, so the serial can never be claimed.
      if (read.state.next > claimAt) fencedSerials = [serial]
    }
  }
  throw new ShopBusy(`${stream} was abandoned twice`)
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
  if (exceedsStock && !preOrder)
    throw new Refusal('inventory/insufficient-stock', `Only ${freeM}M Pokecoins available in stock`, {
      currentStock: freeM,
    })
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

const unread: { state: OrderState; position: Position } = { state: noOrder, position: START }

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

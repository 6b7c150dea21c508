import fc from 'fast-check'
import { admin } from '../admin/admin.ts'
import { block } from '../block/block.ts'
import { customer } from '../customer/customer.ts'
import { decimalText } from '../decimal.ts'
import type { Decider } from '../decider.ts'
import { inventory } from '../inventory/inventory.ts'
import { order } from '../order/order.ts'
import type { OrderCommand } from '../order/commands.ts'
import { plusMinutes } from '../plus-minutes.ts'
import { leftMinor } from '../order/order-money.ts'
import { openRefund, type OrderState } from '../order/order-state.ts'
import { catalogue } from '../product/product.ts'
import { receipt } from '../receipt/receipt.ts'
import type { RefusalCode } from '../refusal.ts'
import { DEFAULT_SETTINGS, settings } from '../settings/settings.ts'
import { refusalOf } from './examples.ts'
import { adminId, coins, minute, orderId, placed, TOTAL_CENTS } from './order-samples.ts'

export interface Step<Command, State, Event> {
  readonly command: Command
  readonly before: State
  readonly events: readonly Event[]
  readonly after: State
  readonly refusal: RefusalCode | undefined
}

/** The results of commands decided one after another; refusals change nothing. */
export interface History<Command, State, Event> {
  readonly steps: readonly Step<Command, State, Event>[]
  readonly events: readonly Event[]
}

/** Random histories: each draw becomes a command that fits the current state. */
function histories<Draw, Command, State, Event>(
  decider: Decider<Command, State, Event>,
  draws: fc.Arbitrary<Draw>,
  commandOf: (draw: Draw, state: State, index: number) => Command,
): fc.Arbitrary<History<Command, State, Event>> {
  return fc.array(draws, { minLength: 1, maxLength: 60, size: 'max' }).map((drawn) => {
    const steps: Step<Command, State, Event>[] = []
    let before = decider.initial
    for (const [index, draw] of drawn.entries()) {
      const step = stepOf(decider, commandOf(draw, before, index), before)
      steps.push(step)
      before = step.after
    }
    return printedAsCommands({ steps, events: steps.flatMap(({ events }) => events) })
  })
}

function stepOf<Command, State, Event>(
  decider: Decider<Command, State, Event>,
  command: Command,
  before: State,
): Step<Command, State, Event> {
  let events: Event[] = []
  const refusal = refusalOf(() => {
    events = decider.decide(command, before)
  })
  const after = events.reduce((state, event) => decider.evolve(state, event), before)
  return { command, before, events, after, refusal }
}

/** A failing history is printed as its commands. */
function printedAsCommands<Command, State, Event>(
  history: History<Command, State, Event>,
): History<Command, State, Event> {
  const tell = () => history.steps.map(({ command }) => JSON.stringify(command)).join('\n')
  return Object.defineProperty(history, fc.toStringMethod, { value: tell })
}

const minutesOn = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 0.5, 1, 10) },
  { weight: 3, arbitrary: fc.constantFrom(11, 60, 61) },
  { weight: 1, arbitrary: fc.constantFrom(24 * 60, 7 * 24 * 60, 8 * 24 * 60) },
)
const cents = fc.oneof(
  { weight: 4, arbitrary: fc.constant(TOTAL_CENTS) },
  { weight: 4, arbitrary: fc.constantFrom(0, 1, 400, 600, 994, 995, 1001) },
  { weight: 1, arbitrary: fc.nat(2 * TOTAL_CENTS) },
)
/** Amounts of 0.1 LTC: whole cents, and parts of one. */
const amounts = fc.oneof(
  { weight: 4, arbitrary: cents.map(coins) },
  { weight: 1, arbitrary: fc.constantFrom('0.00000001', '0.0333333333', '0.03333334', '0.05', '0.00625', '0.0995') },
)
/** How often each command is tried. */
const byWeight: readonly (readonly [weight: number, ...kinds: OrderCommand['type'][]])[] = [
  [14, 'RequestPayment', 'StartPayment', 'ReceivePayment', 'RequestDelivery', 'RequestCapture'],
  [8, 'NoteUnusableReceipt'],
  [6, 'SeePayment', 'FailPayment', 'ReportRefund', 'RecordRefund', 'ReinstateOrder', 'ReservePreOrder'],
  [6, 'GiveUpCapture', 'GiveUpDelivery', 'HoldDelivery', 'ConfirmDelivery', 'ExpireOrder'],
  [6, 'ApproveOrder', 'DeleteOrder', 'SettleAttention'],
  [4, 'ChoosePaymentMethod', 'AbandonOrder', 'NoteDispute', 'EndPaymentWatch'],
  [3, 'PlaceOrder', 'CancelOrder', 'MarkDelivered', 'RefuseReinstatement'],
  [3, 'RequestRefund', 'FinishRefund'],
  [2, 'EndParts', 'NoteHeldUpWatch', 'GiveUpRefund'],
  [1, 'NoteBlock'],
]
const kinds = fc.oneof(
  ...byWeight.flatMap(([weight, ...some]) => some.map((kind) => ({ weight, arbitrary: fc.constant(kind) }))),
)
const orderDraws = fc.record({
  kind: kinds,
  minutesOn,
  attempt: fc.nat(2),
  method: fc.constantFrom('paypal', 'crypto', 'upi'),
  receiptNumber: fc.nat(2),
  cents,
  amount: amounts,
  askedAmount: fc.constantFrom('0.1', '0.1', '0.3'),
  back: fc.record({
    done: amounts,
    pending: fc.oneof(fc.constant('0'), amounts),
    failed: fc.oneof(fc.constant('0'), amounts),
  }),
  seen: fc.constantFrom('confirming', 'confirmed', 'sending', 'partially_paid'),
  failure: fc.constantFrom('failed', 'expired', 'refunded', 'declined', 'cancelled', 'reference-used'),
  coinsGiven: fc.constantFrom(null, true, false),
  holdsStock: fc.boolean(),
  preOrder: fc.boolean(),
  isGone: fc.boolean(),
  deliveryMode: fc.constantFrom('staff', 'webhook', 'instant'),
} as const)
type OrderDraw = typeof orderDraws extends fc.Arbitrary<infer Draw> ? Draw : never

/** One order from its first command on, in all situations that its rules allow, even those that no provider causes today. */
export const orderHistories = fc.tuple(fc.boolean(), fc.boolean()).chain(([preOrder, fencedFirst]) => {
  let now = minute(0)
  return histories(order, orderDraws, (draw, state, index) => {
    now = index === 0 ? minute(0) : plusMinutes(now, draw.minutesOn)
    const isFence = fencedFirst && index === 0
    const isPlacing = state.kind === 'none' && !isFence
    const kind = isFence ? 'AbandonOrder' : isPlacing ? 'PlaceOrder' : possibleKind(draw.kind, state)
    return orderCommand({ ...draw, kind, preOrder }, { state, now, serial: index + 1 })
  })
})

/** Only requested payments are reported. */
function possibleKind(kind: OrderCommand['type'], state: OrderState): OrderCommand['type'] {
  const isNews = kind === 'ReceivePayment' || kind === 'ReportRefund' || kind === 'NoteDispute'
  return isNews && state.kind === 'placed' && state.attempts.length === 0 ? 'RequestPayment' : kind
}

function placedBy({ preOrder }: OrderDraw, { at, serial }: { at: string; serial: number }) {
  return placed({ serial, preOrder, expiresAt: plusMinutes(at, 60), at }).data
}

function sightingBy({ seen: status, holdsStock, amount, coinsGiven }: OrderDraw, id: string) {
  const parts = coinsGiven === null ? [] : [{ id, amount, currency: 'ltc' }]
  return { status, amountPaid: holdsStock ? amount : null, parts }
}

function unusableBy({ holdsStock, isGone, coinsGiven, receiptNumber }: OrderDraw) {
  const receiptId = `refused-${receiptNumber}`
  const stray = { receiptId, why: 'another-coin', isGone, endsSighting: false } as const
  return holdsStock
    ? stray
    : ({ ...stray, why: 'pays-another-order', isGone: false, endsSighting: coinsGiven === true } as const)
}

function disputeBy({ attempt, receiptNumber, cents: minutes, holdsStock }: OrderDraw) {
  const due = holdsStock && { respondBy: minute(minutes) }
  return { disputeId: `PP-D-${attempt}`, ...due, outcome: (['open', 'won', 'lost'] as const)[receiptNumber] ?? 'open' }
}

function orderCommand(
  draw: OrderDraw,
  { state, now: at, serial }: { state: OrderState; now: string; serial: number },
): OrderCommand {
  const { kind, deliveryMode, method, amount, askedAmount } = draw
  const attempts = state.kind === 'placed' ? state.attempts.length : 0
  const attempt = Math.min(draw.attempt, Math.max(attempts - 1, 0)) + 1
  const receiptId = `receipt-${draw.receiptNumber}`
  const receipt = { attempt, provider: method, receiptId, amount, askedAmount, currency: 'ltc' }
  const callsUntil = plusMinutes(at, 10)
  switch (kind) {
    case 'PlaceOrder':
      return { type: kind, placed: placedBy(draw, { at, serial }) }
    case 'AbandonOrder':
      return { type: kind, orderId, claimAt: Math.max(0, state.next - draw.attempt), serial, at }
    case 'ChoosePaymentMethod':
      return { type: kind, paymentMethod: method, at }
    case 'RequestPayment': {
      const reference = `REF-${attempts + 1}`
      const asked = { askedMinor: Math.max(draw.cents, 1), currency: 'USD', coversCents: draw.cents } as const
      const request = { attempt: attempts + 1, method, provider: method, reference, ...asked }
      return { type: kind, request, replaces: draw.holdsStock ? attempts : undefined, at }
    }
    case 'StartPayment': {
      const nothing = { address: null, network: null, url: null, intents: null, paymentExpiresAt: null }
      const started = { attempt, paymentId: `payment-${attempt}`, payAmount: '0.1', payCurrency: 'ltc', ...nothing }
      return { type: kind, started, at }
    }
    case 'SeePayment':
      return { type: kind, attempt, ...sightingBy(draw, receiptId), deliveryMode, at }
    case 'FailPayment':
      return { type: kind, attempt, reason: draw.failure, ended: [receiptId], deliveryMode, at }
    case 'EndParts':
      return { type: kind, attempt, ended: [receiptId], deliveryMode, at }
    case 'NoteHeldUpWatch':
      return { type: kind, attempt, at }
    case 'RequestCapture':
      return { type: kind, attempt, requestId: 'capture-1', callsUntil, at }
    case 'GiveUpCapture':
      return { type: kind, attempt, deliveryMode, at }
    case 'ReceivePayment':
      return { type: kind, receipt, deliveryMode, at }
    case 'ReportRefund': {
      const refunds = draw.isGone ? [sentBy(draw, state)] : []
      return { type: kind, receipt, back: draw.back, byHolder: draw.holdsStock, refunds, deliveryMode, at }
    }
    case 'RecordRefund':
    case 'RequestRefund':
    case 'FinishRefund':
    case 'GiveUpRefund':
      return refundCommand(draw, state, at)
    case 'NoteDispute':
      return { type: kind, attempt, ...disputeBy(draw), receiptId, deliveryMode, at }
    case 'NoteUnusableReceipt':
      return { type: kind, attempt, ...unusableBy(draw), at }
    case 'EndPaymentWatch':
      return { type: kind, attempt, pollBeganAt: plusMinutes(at, -draw.minutesOn), isUnclear: draw.holdsStock, at }
    case 'ApproveOrder':
      return { type: kind, serial: draw.holdsStock ? serial : null, adminId, deliveryMode, at }
    case 'ReservePreOrder':
    case 'ReinstateOrder':
      return { type: kind, serial, deliveryMode, at }
    case 'RequestDelivery':
      return { type: kind, callsUntil, at }
    case 'MarkDelivered':
      return { type: kind, ...(draw.isGone && { note: 'sealed', isNoteShown: draw.holdsStock }), at }
    case 'RefuseReinstatement':
    case 'HoldDelivery':
    case 'ConfirmDelivery':
    case 'GiveUpDelivery':
    case 'ExpireOrder':
    case 'CancelOrder':
    case 'NoteBlock':
      return { type: kind, at }
    case 'SettleAttention':
      return { type: kind, reason: 'other', adminId, at }
    case 'DeleteOrder':
      return { type: kind, coinsGiven: draw.coinsGiven, adminId, at }
  }
}

function refundCommand(draw: OrderDraw, state: OrderState, at: string): OrderCommand {
  const { kind, deliveryMode, receiptNumber, isGone } = draw
  const wish = openWish(state)
  if (kind === 'RecordRefund') return { type: kind, ...refundBy(draw, state), adminId, at }
  if (kind === 'RequestRefund')
    return { type: kind, ...wishBy(draw, state), callsUntil: plusMinutes(at, 10), adminId, at }
  const { receiptId = `receipt-${receiptNumber}`, refundId = 'none' } = wish ?? {}
  return kind === 'FinishRefund'
    ? { type: kind, refund: sentBy(draw, state), receiptId, deliveryMode, at }
    : { type: 'GiveUpRefund', refundId, refusal: isGone ? 'NO' : null, deliveryMode, at }
}

function refundBy({ holdsStock, receiptNumber, cents: refundedCents, coinsGiven }: OrderDraw, { next }: OrderState) {
  const receiptId = holdsStock ? `receipt-${receiptNumber}` : null
  const noted = { amountCents: Math.max(refundedCents, 1), receiptId, reason: 'other', whereTo: null } as const
  return { refundId: `refund-${next}`, requestHash: 'hash', ...noted, coinsGiven }
}

function openWish(state: OrderState) {
  return state.kind === 'placed' ? (openRefund(state) ?? state.wishes.at(-1)) : undefined
}

/** Mostly all that is left of a receipt. */
function wishBy({ receiptNumber, amount, coinsGiven, holdsStock }: OrderDraw, state: OrderState) {
  const receipts = state.kind === 'placed' ? state.receipts : []
  const receipt = receipts[receiptNumber % Math.max(1, receipts.length)]
  const leftText = state.kind === 'placed' && receipt ? leftMinor(state, receipt) : 0
  const whole = decimalText({ units: BigInt(leftText), decimals: 2 })
  const wished = { refundId: `refund-${state.next}`, requestHash: 'hash', receiptId: receipt?.receiptId ?? 'receipt-0' }
  return { ...wished, amount: holdsStock ? whole : amount, reason: 'other', coinsGiven } as const
}

/** What the provider says of the open refund, or of the last one. */
function sentBy({ amount, holdsStock, receiptNumber }: OrderDraw, state: OrderState) {
  const wish = openWish(state)
  const status = (['done', 'pending', 'failed'] as const)[receiptNumber] ?? 'done'
  const sent = holdsStock ? wish?.amount : amount
  return { refundId: wish?.refundId ?? 'refund-0', providerRefundId: 'sent-1', amount: sent ?? amount, status }
}

const at = minute(0)
const few = <Value>(...values: Value[]) => fc.constantFrom(...values)
const upTo = (max: number) => fc.integer({ min: 1, max })
const by = { adminId: few(adminId) }

/** A command of one of these types with random fields, drawn with this weight. */
function drawn<Command extends { type: string }>(
  weight: number,
  types: Command['type'] | Command['type'][],
  fields: Record<string, fc.Arbitrary<unknown>>,
) {
  const drawnFields = { type: few(...[types].flat()), at: few(at), ...fields }
  return { weight, arbitrary: fc.record(drawnFields, { noNullPrototype: true }) as unknown as fc.Arbitrary<Command> }
}

function commandsOf<Command extends { type: string }, State, Event>(
  decider: Decider<Command, State, Event>,
  ...draws: readonly ReturnType<typeof drawn<Command>>[]
): fc.Arbitrary<History<Command, State, Event>> {
  return histories(decider, fc.oneof(...draws), (command) => command)
}

const stockOrder = few('order-1', 'order-2', 'order-3', 'order-4')
const outdatedSerials = fc.uniqueArray(upTo(30), { maxLength: 3 })
const claim = {
  orderId: stockOrder,
  claimAt: fc.nat(3),
  quantityM: few(0, 1, 10, 30),
  outdatedSerials,
  openMax: few(6),
  coins: few('Pokecoins'),
}
const difference = { differenceM: fc.integer({ min: -60, max: 100 }), editKey: few('edit-1', 'edit-2', 'edit-3', null) }
/** Stock that several orders reserve at once, also with foreign and unknown serials. */
export const inventoryHistories = commandsOf(
  inventory,
  drawn(1, 'OpenInventory', { quantityM: fc.nat(100) }),
  drawn(3, 'AdjustStock', { ...difference, ...by }),
  drawn(8, 'ReserveStock', claim),
  drawn(6, ['ReleaseStock', 'CommitStock'], { serial: upTo(30) }),
)

const paidOrder = { orderId: few('order-1', 'order-2', 'order-3'), attempt: upTo(3), askedAmount: few('10.00') }
const money = { provider: few('upi'), receiptId: few('utr-1'), amount: few('10.00'), currency: few('INR'), at: few(at) }
const facts = fc.record({ ...paidOrder, ...money }, { noNullPrototype: true })
export const receiptHistories = commandsOf(receipt, drawn(1, 'ClaimReceipt', { facts }))

const numbers = { pack1Amount: upTo(3), pack6Discount: upTo(3), basePriceCents: fc.nat(3) }
const someSettings = fc.record(
  { ...numbers, upiEnabled: fc.boolean(), gameName: few('', 'Game'), priceConfirmed: few(true) },
  { requiredKeys: [] },
)
const changes = fc.oneof(fc.constant(DEFAULT_SETTINGS), someSettings)
export const settingsHistories = commandsOf(
  settings,
  drawn(1, 'ChangeSettings', { changes, adminId: few(adminId, null) }),
)

const ofProduct = { productId: few('product-1'), ...by }
const texts = { name: few('Starter', 'First'), description: few('', 'A first taste.') }
const productFields = { ...texts, quantityM: upTo(3), active: fc.boolean(), position: fc.nat(2) }
export const productHistories = commandsOf(
  catalogue,
  drawn(2, 'CreateProduct', { fields: fc.record(productFields), ...ofProduct }),
  drawn(6, 'ChangeProduct', { changes: fc.record(productFields, { requiredKeys: [] }), ...ofProduct }),
  drawn(1, 'DeleteProduct', ofProduct),
)

const passwordId = few('password-1', 'password-2', 'password-3')
const sessionId = few('session-1', 'session-2', 'session-3')
const factorId = few('factor-1', 'factor-2')
const session = {
  sessionId,
  passwordId,
  factorId: fc.option(factorId, { nil: undefined }),
  isNewBrowser: fc.boolean(),
  expiresAt: few(minute(5), minute(10)),
  at: few(minute(0), minute(6)),
}
export const adminHistories = commandsOf(
  admin,
  drawn(1, 'SetPassword', { passwordId, replaces: fc.option(passwordId, { nil: undefined }), ...by }),
  drawn(1, 'StartSession', { ...session, ...by }),
  drawn(1, 'RequireSecondFactor', { factorId, ...by }),
  drawn(1, 'RemoveSecondFactor', { factorId, ...by }),
  drawn(1, 'ConfirmSession', { sessionId, ...by }),
  drawn(1, 'EndSessions', { sessionIds: fc.array(sessionId, { maxLength: 3 }), ...by }),
)

const erased = { customerId: few('customer-1'), adminId: few(adminId, 'another') }
export const customerHistories = commandsOf(customer, drawn(1, 'EraseCustomer', erased))

const ofBlock = { blockId: few('block-1', 'block-2'), at: few(at), ...by }
const strict = { noNullPrototype: true }
export const blockHistories = commandsOf(
  block,
  drawn(1, 'BlockBuyer', { block: fc.record({ reason: few('chargeback', 'other'), ...ofBlock }, strict) }),
  drawn(1, 'UnblockBuyer', { end: fc.record(ofBlock, strict) }),
)

import fc from 'fast-check'
import { admin, type AdminCommand } from '../admin/admin.ts'
import { customer, type CustomerCommand } from '../customer/customer.ts'
import type { Decider } from '../decider.ts'
import { inventory, type InventoryCommand } from '../inventory/inventory.ts'
import { order } from '../order/order.ts'
import type { OrderCommand } from '../order/commands.ts'
import { plusMinutes } from '../plus-minutes.ts'
import type { Order } from '../order/order-state.ts'
import { product, type ProductCommand } from '../product/product.ts'
import { receipt, type ReceiptCommand } from '../receipt/receipt.ts'
import type { RefusalCode } from '../refusal.ts'
import { DEFAULT_SETTINGS, settings, type SettingsCommand } from '../settings/settings.ts'
import { refusalOf } from './examples.ts'
import { adminId, minute, orderId, placed, TOTAL_CENTS } from './order-samples.ts'

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

/** Random histories: each draw becomes a command that fits the present state. */
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
    return told({ steps, events: steps.flatMap(({ events }) => events) })
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
function told<Command, State, Event>(history: History<Command, State, Event>): History<Command, State, Event> {
  const tell = () => history.steps.map(({ command }) => JSON.stringify(command)).join('\n')
  return Object.defineProperty(history, fc.toStringMethod, { value: tell })
}

const minutesOn = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 0.5, 1, 10) },
  { weight: 3, arbitrary: fc.constantFrom(11, 60, 61) },
  { weight: 1, arbitrary: fc.constantFrom(24 * 60, 7 * 24 * 60, 8 * 24 * 60) },
)
const amounts = fc.oneof(
  { weight: 4, arbitrary: fc.constant(TOTAL_CENTS) },
  { weight: 4, arbitrary: fc.constantFrom(0, 1, 400, 600, 994, 995, 1001) },
  { weight: 1, arbitrary: fc.nat(2 * TOTAL_CENTS) },
)
/** How often each command is tried. */
const kindWeights = {
  RequestPayment: 14,
  StartPayment: 14,
  ReceivePayment: 14,
  RequestDelivery: 14,
  RequestCapture: 14,
  SeePayment: 6,
  FailPayment: 6,
  EndParts: 2,
  ReversePayment: 6,
  RecordRefund: 6,
  ReinstateOrder: 6,
  ReservePreOrder: 6,
  GiveUpCapture: 6,
  GiveUpDelivery: 6,
  HoldDelivery: 6,
  ConfirmDelivery: 6,
  ExpireOrder: 6,
  ApproveOrder: 6,
  DeleteOrder: 6,
  SettleAttention: 6,
  ChoosePaymentMethod: 4,
  AbandonOrder: 4,
  NoteUnusableReceipt: 8,
  NoteDispute: 4,
  EndPaymentWatch: 4,
  NoteHeldUpWatch: 2,
  PlaceOrder: 3,
  CancelOrder: 3,
  MarkDelivered: 3,
  RefuseReinstatement: 3,
} as const satisfies Record<OrderCommand['type'], number>
const kinds = fc.oneof(
  ...Object.entries(kindWeights).map(([kind, weight]) => ({
    weight,
    arbitrary: fc.constant(kind as OrderCommand['type']),
  })),
)
const orderDraws = fc.record({
  kind: kinds,
  minutesOn,
  attempt: fc.nat(2),
  method: fc.constantFrom('paypal', 'crypto', 'upi'),
  receiptNumber: fc.nat(2),
  cents: amounts,
  reversedCents: amounts,
  seen: fc.constantFrom('confirming', 'confirmed', 'sending', 'partially_paid'),
  failure: fc.constantFrom('failed', 'expired', 'refunded', 'declined', 'cancelled', 'reference-used'),
  coinsGiven: fc.constantFrom(null, true, false),
  holdsStock: fc.boolean(),
  preOrder: fc.boolean(),
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
function possibleKind(kind: OrderCommand['type'], state: Order): OrderCommand['type'] {
  const isNews = kind === 'ReceivePayment' || kind === 'ReversePayment' || kind === 'NoteDispute'
  return isNews && state.kind === 'placed' && state.attempts.length === 0 ? 'RequestPayment' : kind
}

function placedBy({ preOrder }: OrderDraw, { at, serial }: { at: string; serial: number }) {
  return placed({ serial, preOrder, expiresAt: plusMinutes(at, 60), at }).data
}

function sightingBy({ seen: status, holdsStock, cents, coinsGiven }: OrderDraw, id: string) {
  const parts = coinsGiven === null ? [] : [{ id, amount: '1', currency: 'ltc' }]
  return { status, amountPaid: holdsStock ? String(cents) : null, seenCents: holdsStock ? cents : null, parts }
}

function disputeBy({ attempt, receiptNumber }: OrderDraw) {
  return { disputeId: `PP-D-${attempt}`, outcome: (['open', 'won', 'lost'] as const)[receiptNumber] ?? 'open' }
}

function orderCommand(
  draw: OrderDraw,
  { state, now: at, serial }: { state: Order; now: string; serial: number },
): OrderCommand {
  const { kind, deliveryMode, method } = draw
  const attempts = state.kind === 'placed' ? state.attempts.length : 0
  const attempt = Math.min(draw.attempt, Math.max(attempts - 1, 0)) + 1
  const receiptId = `receipt-${draw.receiptNumber}`
  const receipt = { attempt, provider: method, receiptId, amount: '1', currency: 'ltc', coversCents: draw.cents }
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
      const started = { attempt, paymentId: `payment-${attempt}`, payAmount: '1', payCurrency: 'ltc', ...nothing }
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
    case 'ReversePayment':
      return { type: kind, receipt, reversedCents: draw.reversedCents, deliveryMode, at }
    case 'RecordRefund':
      return { type: kind, ...refundBy(draw, state), adminId, at }
    case 'NoteDispute':
      return { type: kind, attempt, ...disputeBy(draw), receiptId, deliveryMode, at }
    case 'NoteUnusableReceipt': {
      const why = draw.holdsStock ? 'another-coin' : 'pays-another-order'
      return { type: kind, receiptId: `refused-${draw.receiptNumber}`, why, at }
    }
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
    case 'RefuseReinstatement':
    case 'HoldDelivery':
    case 'ConfirmDelivery':
    case 'GiveUpDelivery':
    case 'ExpireOrder':
    case 'CancelOrder':
      return { type: kind, at }
    case 'SettleAttention':
      return { type: kind, adminId, at }
    case 'DeleteOrder':
      return { type: kind, coinsGiven: draw.coinsGiven, adminId, at }
  }
}

function refundBy({ holdsStock, receiptNumber, reversedCents, coinsGiven }: OrderDraw, { next }: Order) {
  const receiptId = holdsStock ? `receipt-${receiptNumber}` : null
  const noted = { amountCents: Math.max(reversedCents, 1), receiptId, reason: 'other', whereTo: null } as const
  return { refundId: `refund-${next}`, requestHash: 'hash', ...noted, coinsGiven }
}

const at = minute(0)
const few = <Value>(...values: Value[]) => fc.constantFrom(...values)

/** Stock that many orders want at once, also with serials of other orders and of none. */
export const inventoryHistories = histories(
  inventory,
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ type: few('OpenInventory' as const), quantityM: fc.nat(100), at: few(at) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        type: few('AdjustStock' as const),
        differenceM: fc.integer({ min: -60, max: 100 }),
        editKey: few('edit-1', 'edit-2', 'edit-3', null),
        adminId: few(adminId),
        at: few(at),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        type: few('ReserveStock' as const),
        orderId: few('order-1', 'order-2', 'order-3', 'order-4'),
        claimAt: fc.nat(3),
        quantityM: few(0, 1, 10, 30),
        outdatedSerials: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 3 }),
        openMax: few(6),
        at: few(at),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        type: few('ReleaseStock' as const, 'CommitStock' as const),
        serial: fc.integer({ min: 1, max: 30 }),
        at: few(at),
      }),
    },
  ) as fc.Arbitrary<InventoryCommand>,
  (command) => command,
)

export const receiptHistories = histories(
  receipt,
  fc.record({
    type: few('ClaimReceipt' as const),
    facts: fc.record(
      {
        provider: few('upi'),
        receiptId: few('utr-1'),
        orderId: few('order-1', 'order-2', 'order-3'),
        attempt: fc.integer({ min: 1, max: 3 }),
        amount: few('10.00'),
        currency: few('INR'),
        coversCents: fc.nat(1000),
        at: few(at),
      },
      { noNullPrototype: true },
    ),
  }) satisfies fc.Arbitrary<ReceiptCommand>,
  (command) => command,
)

const packFields = fc.integer({ min: 1, max: 3 })
export const settingsHistories = histories(
  settings,
  fc.record({
    type: few('ChangeSettings' as const),
    changes: fc.oneof(
      fc.constant(DEFAULT_SETTINGS),
      fc.record(
        { pack1Amount: packFields, pack6Discount: packFields, upiEnabled: fc.boolean(), basePriceCents: fc.nat(3) },
        { requiredKeys: [] },
      ),
    ),
    adminId: few(adminId, null),
    at: few(at),
  }) satisfies fc.Arbitrary<SettingsCommand>,
  (command) => command,
)

const by = { productId: few('product-1'), adminId: few(adminId), at: few(at) }
const productFields = {
  name: few('Starter', 'First'),
  description: few('', 'A first taste.'),
  quantityM: fc.integer({ min: 1, max: 3 }),
  active: fc.boolean(),
  position: fc.nat(2),
}
export const productHistories = histories(
  product,
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ type: few('CreateProduct' as const), fields: fc.record(productFields), ...by }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        type: few('ChangeProduct' as const),
        changes: fc.record(productFields, { requiredKeys: [] }),
        ...by,
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: few('DeleteProduct' as const), ...by }) },
  ) as fc.Arbitrary<ProductCommand>,
  (command) => command,
)

const passwords = few('password-1', 'password-2', 'password-3')
const sessions = few('session-1', 'session-2', 'session-3')
export const adminHistories = histories(
  admin,
  fc.oneof(
    fc.record({
      type: few('SetPassword' as const),
      adminId: few(adminId),
      passwordId: passwords,
      replaces: fc.option(passwords, { nil: undefined }),
      at: few(at),
    }),
    fc.record({
      type: few('StartSession' as const),
      adminId: few(adminId),
      sessionId: sessions,
      passwordId: passwords,
      expiresAt: few(minute(5), minute(10)),
      at: few(minute(0), minute(6)),
    }),
    fc.record({ type: few('EndSession' as const), adminId: few(adminId), sessionId: sessions, at: few(at) }),
  ) satisfies fc.Arbitrary<AdminCommand>,
  (command) => command,
)

export const customerHistories = histories(
  customer,
  fc.record({
    type: few('EraseCustomer' as const),
    customerId: few('customer-1'),
    adminId: few(adminId, 'another'),
    at: few(at),
  }) satisfies fc.Arbitrary<CustomerCommand>,
  (command) => command,
)

import { randomBytes } from 'node:crypto'
import { decimalFrom, decimalText, divideUp } from '../payment-amounts.ts'
import { PaymentRejected } from '../payment-provider.ts'

/** What happens to a payment. */
export interface Act {
  /** By the payer: `approve`, `cancel`. To its money: `complete`, `deny`, `refund`, `reverse`, `dispute`, `win`, `lose`. `forget`: PayPal knows it no more. */
  readonly do: string
  /** Of a refund; by default all of it. */
  readonly amount?: string
  /** With `approve`: how its capture ends, by an issue such as INSTRUMENT_DECLINED, or PENDING. */
  readonly capture?: string
  /** Webhooks sent of it; 1 by default. */
  readonly webhooks?: number
}

/** A payer whose part is known beforehand. */
export interface Script {
  readonly approvedAfterMs?: number
  readonly isVoided?: boolean
  /** An issue, or PENDING. */
  readonly capture?: string
  readonly permille?: number
  /** Of the money that is captured; by default what was asked for. */
  readonly currency?: string
  readonly completedAfterMs?: number
}

interface DoubleCapture {
  readonly id: string
  readonly value: string
  readonly currency: string
  status: string
  readonly refunds: { readonly id: string; readonly value: string; readonly status: string }[]
}

export interface DoubleOrder {
  readonly id: string
  readonly customId: string | null
  readonly value: string
  readonly currency: string
  readonly returnUrl: string | undefined
  readonly createdMs: number
  readonly captures: DoubleCapture[]
  status: string
  captureAs: string | undefined
}

export interface DoubleDispute {
  readonly id: string
  readonly orderId: string
  status: string
  outcome: string | undefined
}

/** As PayPal has it: `issue` stands in `details`. */
export class PaypalProblem extends Error {
  readonly status: number
  readonly issue: string

  constructor(status: number, issue: string) {
    super(issue)
    this.status = status
    this.issue = issue
  }
}

type Opened = Pick<DoubleOrder, 'customId' | 'value' | 'currency' | 'returnUrl'>

const REMEMBERED_MAX = 10_000
const events: Readonly<Record<string, string>> = {
  approve: 'CHECKOUT.ORDER.APPROVED',
  cancel: 'CHECKOUT.ORDER.VOIDED',
  forget: 'CHECKOUT.ORDER.VOIDED',
  complete: 'PAYMENT.CAPTURE.COMPLETED',
  deny: 'PAYMENT.CAPTURE.DENIED',
  refund: 'PAYMENT.CAPTURE.REFUNDED',
  reverse: 'PAYMENT.CAPTURE.REVERSED',
  dispute: 'CUSTOMER.DISPUTE.CREATED',
  win: 'CUSTOMER.DISPUTE.RESOLVED',
  lose: 'CUSTOMER.DISPUTE.RESOLVED',
}

/** An account at PayPal, in memory; no money moves. */
export class PaypalAccount {
  readonly disputes = new Map<string, DoubleDispute>()
  private readonly orders = new Map<string, DoubleOrder>()
  private readonly scripts = new Map<string, Script>()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  script(customId: string, script: Script): void {
    this.scripts.set(customId, script)
  }

  all(): readonly DoubleOrder[] {
    return [...this.orders.values()]
  }

  open(given: Opened): DoubleOrder {
    const id = newId('ORD')
    const state = { captures: [], createdMs: this.now(), status: 'PAYER_ACTION_REQUIRED', captureAs: undefined }
    const order: DoubleOrder = { ...given, ...state, id }
    this.orders.set(id, order)
    const [oldest] = this.orders.keys()
    if (this.orders.size > REMEMBERED_MAX && oldest !== undefined) this.orders.delete(oldest)
    return order
  }

  known(id: string): DoubleOrder {
    const order = this.orders.get(id)
    if (!order) throw new PaypalProblem(404, 'INVALID_RESOURCE_ID')
    this.play(order)
    return order
  }

  /** Money is taken once, by whatever request. */
  capture(id: string): DoubleOrder {
    const order = this.known(id)
    if (order.status === 'COMPLETED') throw new PaypalProblem(422, 'ORDER_ALREADY_CAPTURED')
    if (order.status !== 'APPROVED') throw new PaypalProblem(422, 'ORDER_NOT_APPROVED')
    const { permille = 1000, capture = order.captureAs, currency = order.currency } = this.scriptOf(order) ?? {}
    const status = capture === 'PENDING' ? 'PENDING' : 'COMPLETED'
    if (capture !== undefined && capture !== 'PENDING') throw new PaypalProblem(422, capture)
    const value = permilleOf(order.value, permille)
    order.captures.push({ id: newId('CAP'), value, currency, status, refunds: [] })
    order.status = 'COMPLETED'
    return order
  }

  /** Answers the type of the event that is sent of it. */
  act(id: string, act: Act): string {
    const order = this.known(id)
    const event = events[act.do]
    if (event === undefined) throw new PaymentRejected(`what happens is one of ${Object.keys(events).join(', ')}`)
    if (act.do === 'approve') Object.assign(order, { status: 'APPROVED', captureAs: act.capture })
    else if (act.do === 'cancel') order.status = 'VOIDED'
    else if (act.do === 'forget') this.orders.delete(id)
    else this.happen(order, act)
    return event
  }

  private happen(order: DoubleOrder, { do: what, amount }: Act): void {
    const capture = order.captures.at(-1)
    if (!capture) throw new PaymentRejected('nothing was captured yet')
    if (what === 'complete') capture.status = 'COMPLETED'
    if (what === 'deny') capture.status = 'DECLINED'
    if (what === 'reverse') capture.status = 'REVERSED'
    if (what === 'refund' || what === 'lose') {
      capture.refunds.push({ id: newId('REF'), value: amount ?? capture.value, status: 'COMPLETED' })
      capture.status = amount === undefined ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
    }
    if (what === 'dispute') {
      const id = `PP-D-${newId('')}`
      this.disputes.set(id, { id, orderId: order.id, status: 'OPEN', outcome: undefined })
    }
    if (what !== 'win' && what !== 'lose') return
    const dispute = this.disputeOf(order.id)
    if (!dispute) throw new PaymentRejected('there is no dispute')
    const outcome = what === 'win' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR'
    Object.assign(dispute, { status: 'RESOLVED', outcome })
  }

  disputeOf(orderId: string): DoubleDispute | undefined {
    return [...this.disputes.values()].findLast((dispute) => dispute.orderId === orderId)
  }

  private scriptOf({ customId }: DoubleOrder): Script | undefined {
    return this.scripts.get(customId ?? '')
  }

  private play(order: DoubleOrder): void {
    const script = this.scriptOf(order)
    if (!script) return
    const { approvedAfterMs, isVoided, completedAfterMs = 0 } = script
    const ageMs = this.now() - order.createdMs
    if (isVoided) order.status = 'VOIDED'
    if (order.status === 'PAYER_ACTION_REQUIRED' && approvedAfterMs !== undefined && ageMs >= approvedAfterMs)
      order.status = 'APPROVED'
    for (const capture of order.captures)
      if (capture.status === 'PENDING' && ageMs >= completedAfterMs) capture.status = 'COMPLETED'
  }
}

function newId(kind: string): string {
  return `${kind}${randomBytes(7).toString('hex').toUpperCase()}`
}

/** A whole order, as a GET and `return=representation` have it. */
export function shownOrder(order: DoubleOrder, origin: string): object {
  const { id, customId, value, currency, captures } = order
  const ids = { custom_id: customId, invoice_id: customId }
  const payments = {
    captures: captures.map((capture) => shownCapture(order, capture)),
    refunds: captures.flatMap((capture) =>
      capture.refunds.map((refund) => shownRefund(order, capture, refund, origin)),
    ),
  }
  const unit = { reference_id: 'default', ...ids, amount: { currency_code: currency, value } }
  return {
    ...minimalOrder(order, origin),
    intent: 'CAPTURE',
    purchase_units: [{ ...unit, ...(captures.length > 0 && { payments }) }],
    ...(order.status !== 'PAYER_ACTION_REQUIRED' && {
      payer: { payer_id: `PAYER${id.slice(-7)}`, email_address: 'buyer@example.test' },
    }),
  }
}

export function minimalOrder({ id, status }: DoubleOrder, origin: string): object {
  const link = (href: string, rel: string, method: string) => ({ href: `${origin}${href}`, rel, method })
  return {
    id,
    status,
    links: [
      link(`/v2/checkout/orders/${id}`, 'self', 'GET'),
      link(`/checkoutnow?token=${id}`, 'payer-action', 'GET'),
      link(`/v2/checkout/orders/${id}/capture`, 'capture', 'POST'),
    ],
  }
}

function shownCapture({ customId, id: orderId }: DoubleOrder, { id, status, value, currency }: DoubleCapture): object {
  return {
    id,
    status,
    ...(status === 'PENDING' && { status_details: { reason: 'PENDING_REVIEW' } }),
    amount: { currency_code: currency, value },
    final_capture: true,
    custom_id: customId,
    invoice_id: customId,
    supplementary_data: { related_ids: { order_id: orderId } },
  }
}

function shownRefund(
  { customId }: DoubleOrder,
  capture: DoubleCapture,
  { id, status, value }: DoubleCapture['refunds'][number],
  origin: string,
): object {
  const links = [
    { href: `${origin}/v2/payments/refunds/${id}`, rel: 'self', method: 'GET' },
    { href: `${origin}/v2/payments/captures/${capture.id}`, rel: 'up', method: 'GET' },
  ]
  const amount = { currency_code: capture.currency, value }
  return { id, status, amount, custom_id: customId, invoice_id: customId, links }
}

export function shownDispute({ id, status, outcome }: DoubleDispute, order: DoubleOrder): object {
  const { customId, captures } = order
  return {
    dispute_id: id,
    status,
    reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
    dispute_amount: { currency_code: order.currency, value: order.value },
    ...(outcome !== undefined && { dispute_outcome: { outcome_code: outcome } }),
    disputed_transactions: captures.map((capture) => ({
      seller_transaction_id: capture.id,
      custom: customId,
      invoice_number: customId,
    })),
  }
}

/** What an event carries: the order, its capture, its refund or its dispute. */
export function resourceOf(
  type: string,
  order: DoubleOrder,
  { dispute, origin }: { dispute: DoubleDispute | undefined; origin: string },
): object {
  const capture = order.captures.at(-1)
  const refund = capture?.refunds.at(-1)
  if (type.startsWith('CUSTOMER.DISPUTE.')) return dispute ? shownDispute(dispute, order) : {}
  if (type === 'PAYMENT.CAPTURE.REFUNDED' && capture && refund) return shownRefund(order, capture, refund, origin)
  if (type.startsWith('PAYMENT.CAPTURE.') && capture) return shownCapture(order, capture)
  return shownOrder(order, origin)
}

function permilleOf(amount: string, permille: number): string {
  const { units, decimals } = decimalFrom(amount)
  return decimalText({ units: divideUp(units * BigInt(permille), 1000n), decimals })
}

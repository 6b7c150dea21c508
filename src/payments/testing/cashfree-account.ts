import { decimalFrom, decimalText, divideUp, plainDecimal } from '../payment-amounts.ts'
import { PaymentRejected } from '../payment-provider.ts'

/** What happens to an order. */
export interface CashfreeAct {
  /** `pay`, `short`, `over`, `again`, `pend`, `fail`, `drop`: a try of the payer's. `refund`: of the first one. Any other word becomes the order's status. */
  readonly do: string
  /** In rupees; by default what the act says of the asked amount. */
  readonly amount?: string
  /** Webhooks sent of it; 1 by default. */
  readonly webhooks?: number
}

export interface CashfreeStep {
  readonly afterMs: number
  readonly do: string
}

interface Try {
  readonly id: string
  status: string
  amount: string
}

interface Refund {
  readonly id: string
  readonly paymentId: string
  readonly amount: string
  readonly status: string
}

export interface CashfreeOrder {
  /** The shop's reference. */
  readonly id: string
  readonly cfId: string
  readonly session: string
  /** As it was sent, but for the payer's phone number. */
  readonly amount: string
  readonly customerId: string
  readonly returnUrl: string
  readonly createdMs: number
  status: string
  readonly tries: Try[]
  readonly refunds: Refund[]
}

/** A refused call, as the provider answers it. */
export class Refused extends PaymentRejected {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const REMEMBERED_MAX = 10_000
const permilles: Readonly<Record<string, number>> = { pay: 1000, short: 500, again: 1000 }
const attempts: Readonly<Record<string, string>> = { pend: 'PENDING', fail: 'FAILED', drop: 'USER_DROPPED' }

interface Given {
  readonly order_id?: unknown
  readonly order_amount?: unknown
  readonly order_currency?: unknown
  readonly customer_details?: { readonly customer_id?: unknown; readonly customer_phone?: unknown }
  readonly order_meta?: { readonly return_url?: unknown }
}

/** A merchant's account at Cashfree, in memory; no money moves. */
export class CashfreeAccount {
  /** If set, every opening is refused with it. */
  refusal: { readonly status: number; readonly message: string } | undefined
  private readonly orders = new Map<string, CashfreeOrder>()
  private readonly answered = new Map<string, { readonly body: string; readonly order: CashfreeOrder }>()
  private readonly scripts = new Map<string, CashfreeStep[]>()
  private readonly now: () => number
  private lastId = 2_149_000_000

  constructor(now: () => number) {
    this.now = now
  }

  script(reference: string, steps: readonly CashfreeStep[]): void {
    this.scripts.set(reference, [...steps])
  }

  all(): readonly CashfreeOrder[] {
    return [...this.orders.values()]
  }

  known(id: string): CashfreeOrder {
    const order = this.orders.get(id)
    if (!order) throw new Refused(404, 'order_not_found', 'Order Reference Id does not exist')
    const due = (this.scripts.get(id) ?? []).filter(({ afterMs }) => this.now() - order.createdMs >= afterMs)
    for (const step of due) {
      this.scripts.get(id)?.shift()
      this.become(order, step)
    }
    return order
  }

  behind(session: string): CashfreeOrder | undefined {
    return this.all().find((order) => order.session === session)
  }

  act(id: string, act: CashfreeAct): CashfreeOrder {
    const order = this.known(id)
    this.become(order, act)
    return order
  }

  private become(order: CashfreeOrder, { do: what, amount }: CashfreeAct): void {
    const permille = permilles[what]
    const last = order.tries.at(-1)
    if (what === 'over') {
      this.become(order, { do: 'pay' })
      this.take(order, amount ?? permilleOf(order.amount, 100))
    } else if (permille !== undefined) {
      this.take(order, amount ?? permilleOf(order.amount, permille), last?.status === 'PENDING' ? last : undefined)
    } else if (what === 'refund') {
      const first = order.tries.find(({ status }) => status === 'SUCCESS')
      if (!first) throw new PaymentRejected('nothing was paid')
      const [id, status] = [this.nextId(), 'SUCCESS']
      order.refunds.push({ id, paymentId: first.id, amount: amount ?? first.amount, status })
    } else if (attempts[what] !== undefined) {
      order.tries.push({ id: this.nextId(), status: attempts[what], amount: order.amount })
    } else order.status = what
  }

  /** A try that succeeds; one that was pending goes on under its own id. */
  private take(order: CashfreeOrder, amount: string, pending?: Try): void {
    if (pending) Object.assign(pending, { status: 'SUCCESS', amount })
    else order.tries.push({ id: this.nextId(), status: 'SUCCESS', amount })
    order.status = 'PAID'
  }

  /** Answers the order, and whether it is the answer to an earlier call with this key. */
  created(body: string, key: string | undefined): { readonly order: CashfreeOrder; readonly isReplayed: boolean } {
    const replayed = key === undefined ? undefined : this.answered.get(key)
    if (replayed && replayed.body !== body)
      throw new Refused(422, 'request_invalid', 'something is not correct with idempotency key')
    if (replayed) return { order: replayed.order, isReplayed: true }
    const { refusal } = this
    if (refusal) throw new Refused(refusal.status, 'customer_details.customer_phone_invalid', refusal.message)
    const order = this.opened(body)
    this.orders.set(order.id, order)
    if (key !== undefined) this.answered.set(key, { body, order })
    for (const kept of [this.orders, this.answered]) {
      const [oldest] = kept.keys()
      if (kept.size > REMEMBERED_MAX && oldest !== undefined) kept.delete(oldest)
    }
    return { order, isReplayed: false }
  }

  private opened(body: string): CashfreeOrder {
    const given = JSON.parse(body) as Given
    const { order_id: id, customer_details: customer, order_meta: meta } = given
    const amount = plainDecimal(/"order_amount":([\d.eE+-]+)/.exec(body)?.[1] ?? '') ?? ''
    if (typeof id !== 'string' || !/^[\w-]{3,45}$/.test(id)) throw invalid('order_id')
    if (typeof given.order_amount !== 'number' || !/^\d+(\.\d{1,2})?$/.test(amount) || Number(amount) < 1)
      throw invalid('order_amount')
    if (given.order_currency !== 'INR') throw invalid('order_currency')
    const { customer_id: customerId, customer_phone: phone } = customer ?? {}
    if (typeof customerId !== 'string' || !/^[a-z\d]{3,50}$/i.test(customerId))
      throw invalid('customer_details.customer_id')
    if (typeof phone !== 'string' || !/^\d{10}$/.test(phone)) throw invalid('customer_details.customer_phone')
    const returnUrl = meta?.return_url
    if (typeof returnUrl !== 'string' || returnUrl.length > 250) throw invalid('order_meta.return_url')
    if (this.orders.has(id)) throw new Refused(409, 'order_already_exists', 'order with same id is already present')
    const cfId = this.nextId()
    const opened = { id, cfId, session: `session_${cfId}_AbC`, amount, customerId, returnUrl }
    return { ...opened, createdMs: this.now(), status: 'ACTIVE', tries: [], refunds: [] }
  }

  private nextId(): string {
    this.lastId += 1
    return String(this.lastId)
  }
}

function invalid(field: string): Refused {
  return new Refused(400, `${field}_invalid`, `${field} : invalid value`)
}

function permilleOf(amount: string, permille: number): string {
  const { units, decimals } = decimalFrom(amount)
  const paise = divideUp(units * 100n * BigInt(permille), 1000n * 10n ** BigInt(decimals))
  return decimalText({ units: paise, decimals: 2 })
}

import { exactNumber, parseExactJson } from '../exact-json.ts'
import { nowPaymentsSignature, sortedJson } from '../nowpayments-signature.ts'
import { decimalFrom, decimalText, divideUp, plainDecimal } from '../payment-amounts.ts'
import { PaymentRejected } from '../payment-provider.ts'
import { sandboxCoins, sandboxRates } from '../sandbox-rates.ts'

/** What happens to a payment. */
export interface Act {
  /** `pay`, `short`, `over`: that much arrives. `again`: more arrives at the used address. Any other word becomes the status. */
  readonly do: string
  /** In the coin; by default what the act says of the asked amount. */
  readonly amount?: string
  /** The coin that arrives. */
  readonly coin?: string
  /** Webhooks sent of it; 1 by default. */
  readonly webhooks?: number
}

export interface DoublePayment {
  readonly id: string
  readonly orderId: string | null
  readonly description: string | null
  readonly price: string
  readonly payAmount: string
  readonly coin: string
  readonly address: string
  readonly webhookUrl: string | undefined
  readonly createdMs: number
  readonly parentId: string | null
  readonly childIds: string[]
  status: string
  paid: string
}

export interface Step {
  readonly afterMs: number
  readonly status: string
  readonly permille: number
}

type Opened = Pick<DoublePayment, 'orderId' | 'description' | 'price' | 'payAmount' | 'coin' | 'webhookUrl'>

const REMEMBERED_MAX = 10_000
const QUOTE_MS = 20 * 60_000
const VALID_MS = 7 * 24 * 3_600_000
const MINIMUM_CENTS = 102
/** Of coins whose network takes a large fee. */
const minimumsCents: Readonly<Record<string, number>> = { usdterc20: 1_200 }
const arriving: Readonly<Record<string, number>> = { pay: 1000, short: 500, over: 1100, again: 500 }
const rates = sandboxRates({ inrPerUsd: 86.5, minCents: MINIMUM_CENTS })

/** An account at NOWPayments, in memory: no idempotency, and no money moves. */
export class NowPaymentsAccount {
  private readonly payments = new Map<string, DoublePayment>()
  private readonly scripts = new Map<string, readonly Step[]>()
  private readonly now: () => number
  private lastId = 5_000_000_000
  /** What is switched on in it. */
  coins: readonly string[] = sandboxCoins.map(({ code }) => code)

  constructor(now: () => number) {
    this.now = now
  }

  script(reference: string, steps: readonly Step[]): void {
    this.scripts.set(reference, steps)
  }

  all(): readonly DoublePayment[] {
    return [...this.payments.values()]
  }

  open(given: Opened, parent?: DoublePayment): DoublePayment {
    this.lastId += 1
    const id = String(this.lastId)
    const address = parent?.address ?? `DOUBLE-SEND-NOTHING-${given.coin.toUpperCase()}-${id}`
    const state = { childIds: [], createdMs: this.now(), status: 'waiting', paid: '0' }
    const payment = { ...given, ...state, id, address, parentId: parent?.id ?? null }
    this.payments.set(id, payment)
    parent?.childIds.push(id)
    const [oldest] = this.payments.keys()
    if (this.payments.size > REMEMBERED_MAX && oldest !== undefined) this.payments.delete(oldest)
    return payment
  }

  known(id: string): DoublePayment {
    const payment = this.payments.get(id)
    if (!payment) throw new PaymentRejected('Payment not found')
    const steps = this.scripts.get(payment.orderId ?? '')
    const step = steps?.findLast(({ afterMs }) => this.now() - payment.createdMs >= afterMs)
    if (step) Object.assign(payment, { status: step.status, paid: permilleOf(payment.payAmount, step.permille) })
    return payment
  }

  /** Answers the payment that it happened to: more money at a used address is a payment of its own. */
  act(id: string, { do: what, amount, coin }: Act): DoublePayment {
    const named = this.known(id)
    const permille = arriving[what]
    // As in the provider's own sample, a further transfer names its parent alone.
    const payment = what === 'again' ? this.open({ ...named, orderId: null, coin: coin ?? named.coin }, named) : named
    const hasMoney = permille !== undefined || amount !== undefined || /^(?:confirm|sending)/.test(what)
    if (hasMoney) payment.paid = amount ?? permilleOf(named.payAmount, permille ?? 1000)
    payment.status = permille === undefined ? what : what === 'short' ? 'partially_paid' : 'finished'
    return payment
  }

  /** Answers a call of the API. */
  async served(method: string, { pathname, searchParams }: URL, body: string): Promise<object> {
    const query = (name: string): string => searchParams.get(name) ?? ''
    const path = pathname.replace(/^\/v1\//, '')
    if (method === 'POST' && path === 'payment') return this.created(body)
    const id = /^payment\/(.+)$/.exec(path)?.[1]
    if (id !== undefined) {
      if (!/^\d+$/.test(id)) throw new PaymentRejected('Payment id must be a number')
      return { ...shown(this.known(id)), ...times(this.known(id)) }
    }
    const coin = query('currency_from')
    if (path === 'merchant/coins') return { selectedCurrencies: this.coins.map((code) => code.toUpperCase()) }
    if (path === 'estimate') {
      const estimated = await rates.estimate({ amount: query('amount'), currency: coin }, query('currency_to'))
      return { amount_from: exactNumber(query('amount')), estimated_amount: exactNumber(estimated) }
    }
    if (path === 'min-amount')
      return { min_amount: exactNumber(await minimumOf(coin)), fiat_equivalent: minimumCents(coin) / 100 }
    throw new PaymentRejected('Not found')
  }

  private async created(body: string): Promise<object> {
    const given = parseExactJson(body) as Record<string, string | undefined>
    const { price_amount = '', price_currency = '', pay_currency = '' } = given
    const price = plainDecimal(price_amount) ?? '0'
    const payAmount = await rates.estimate({ amount: price, currency: price_currency }, pay_currency)
    const minimum = await minimumOf(pay_currency)
    if (Number(payAmount) < Number(minimum))
      throw new PaymentRejected(`Crypto amount ${payAmount} is less than minimal`)
    const { order_id: orderId = null, order_description: description = null, ipn_callback_url: webhookUrl } = given
    const payment = this.open({ orderId, description, price, payAmount, coin: pay_currency, webhookUrl })
    return { ...shown(payment), payment_id: payment.id, purchase_id: payment.id, ...times(payment) }
  }
}

function shown(payment: DoublePayment): object {
  return {
    payment_id: Number(payment.id),
    payment_status: payment.status,
    pay_address: payment.address,
    payin_extra_id: coinOf(payment)?.hasMemo ? payment.id.slice(-6) : null,
    price_amount: exactNumber(payment.price),
    price_currency: 'usd',
    pay_amount: exactNumber(payment.payAmount),
    actually_paid: exactNumber(payment.paid),
    pay_currency: payment.coin,
    order_id: payment.orderId,
    order_description: payment.description,
    purchase_id: Number(payment.id),
    outcome_amount: null,
    burning_percent: 'null',
    network: coinOf(payment)?.network ?? payment.coin,
    payment_extra_ids: payment.childIds.length > 0 ? payment.childIds.map(Number) : null,
    parent_payment_id: payment.parentId === null ? null : Number(payment.parentId),
  }
}

function times({ createdMs }: DoublePayment): object {
  const valid_until = new Date(createdMs + VALID_MS).toISOString()
  const expiration_estimate_date = new Date(createdMs + QUOTE_MS).toISOString()
  return { created_at: new Date(createdMs).toISOString(), expiration_estimate_date, valid_until }
}

function minimumCents(coin: string): number {
  return minimumsCents[coin] ?? MINIMUM_CENTS
}

async function minimumOf(coin: string): Promise<string> {
  const amount = decimalText({ units: BigInt(minimumCents(coin)), decimals: 2 })
  return rates.estimate({ amount, currency: 'usd' }, coin)
}

function coinOf({ coin }: DoublePayment) {
  return sandboxCoins.find(({ code }) => code === coin)
}

/** A webhook: exactly the bytes that are signed. */
export function webhookOf(payment: DoublePayment, secret: string, nowMs: number): { body: string; signature: string } {
  const fee = { currency: payment.coin, depositFee: 1e-7, serviceFee: 0, withdrawalFee: 0 }
  const body = sortedJson(JSON.stringify({ ...shown(payment), fee, updated_at: nowMs })) ?? ''
  return { body, signature: nowPaymentsSignature(body, secret) }
}

function permilleOf(amount: string, permille: number): string {
  const { units, decimals } = decimalFrom(amount)
  return decimalText({ units: divideUp(units * BigInt(permille), 1000n), decimals })
}

import { randomUUID } from 'node:crypto'
import { exactNumber } from '../exact-json.ts'
import { decimalFrom, decimalText, divideUp, plainDecimal } from '../payment-amounts.ts'
import { PaymentRejected } from '../payment-provider.ts'
import { istDates } from '../upigateway.ts'

/** What happens to a payment. */
export interface UpiAct {
  /** `pay`, `short`, `over`: that much is credited. `scan`, `fail`, or any other word becomes the status. */
  readonly do: string
  /** In rupees; by default what the act says of the asked amount. */
  readonly amount?: string
  /** The bank's number of the transfer; a new one by default. */
  readonly utr?: string
  /** Webhooks sent of it; 1 by default. */
  readonly webhooks?: number
}

export interface UpiStep {
  readonly afterMs: number
  readonly status: string
  readonly permille?: number
}

export interface UpiPayment {
  /** The shop's reference. */
  readonly id: string
  readonly orderId: number
  readonly token: string
  readonly given: Readonly<Record<string, string>>
  readonly createdMs: number
  status: string
  credited: string
  utr: string
}

const REMEMBERED_MAX = 10_000
const words: Readonly<Record<string, string>> = {
  pay: 'success',
  short: 'success',
  over: 'success',
  scan: 'scanning',
  fail: 'failure',
}
const arriving: Readonly<Record<string, number>> = { short: 500, over: 1100 }
const needed = [
  'client_txn_id',
  'amount',
  'p_info',
  'customer_name',
  'customer_email',
  'customer_mobile',
  'redirect_url',
]

/** A merchant's account at EKQR, in memory; no money moves. */
export class UpiGatewayAccount {
  /** Some plans give no links into apps. */
  hasIntents = true
  /** In these words every opening is refused. */
  refusal: string | undefined
  private readonly payments = new Map<string, UpiPayment>()
  private readonly scripts = new Map<string, readonly UpiStep[]>()
  private readonly now: () => number
  private lastId = 500_040

  constructor(now: () => number) {
    this.now = now
  }

  script(reference: string, steps: readonly UpiStep[]): void {
    this.scripts.set(reference, steps)
  }

  all(): readonly UpiPayment[] {
    return [...this.payments.values()]
  }

  known(id: string): UpiPayment {
    const payment = this.payments.get(id)
    if (!payment) throw new PaymentRejected('Record not found')
    const step = this.scripts.get(id)?.findLast(({ afterMs }) => this.now() - payment.createdMs >= afterMs)
    if (step) this.become(payment, step.status, { permille: step.permille })
    return payment
  }

  behind(token: string): UpiPayment | undefined {
    return this.all().find((payment) => payment.token === token)
  }

  act(id: string, { do: what, amount, utr }: UpiAct): UpiPayment {
    const payment = this.known(id)
    this.become(payment, words[what] ?? what, { permille: arriving[what], amount, utr })
    return payment
  }

  private become(
    payment: UpiPayment,
    status: string,
    {
      permille = 1000,
      amount,
      utr,
    }: { permille?: number | undefined; amount?: string | undefined; utr?: string | undefined },
  ): void {
    payment.status = status
    if (status !== 'success') return
    payment.credited = amount ?? permilleOf(payment.given['amount'] ?? '0', permille)
    payment.utr = utr ?? (payment.utr || String(600_000_000_000 + payment.orderId))
  }

  /** Throws what the provider answers under `status: false`. */
  created(given: Readonly<Record<string, string>>, payUrl: (token: string) => string): object {
    if (this.refusal !== undefined) throw new PaymentRejected(this.refusal)
    const lacking = needed.find((name) => !given[name])
    if (lacking !== undefined) throw new PaymentRejected(`${lacking} is required`)
    const { client_txn_id: id = '', amount = '', customer_mobile: mobile = '' } = given
    if (!/^[\w-]{1,30}$/.test(id)) throw new PaymentRejected('Invalid client_txn_id')
    if (!/^\d{10}$/.test(mobile)) throw new PaymentRejected(`Invalid customer_mobile ${mobile}`)
    if (!/^\d+(\.\d{1,2})?$/.test(amount) || Number(amount) < 1) throw new PaymentRejected('Invalid amount')
    if (this.payments.has(id)) throw new PaymentRejected('Duplicate client_txn_id')
    this.lastId += 1
    const kept = Object.fromEntries(Object.entries(given).filter(([name]) => name !== 'key'))
    const token = randomUUID().replaceAll('-', '')
    const state = { createdMs: this.now(), status: 'created', credited: '', utr: '' }
    this.payments.set(id, { id, orderId: this.lastId, token, given: kept, ...state })
    const [oldest] = this.payments.keys()
    if (this.payments.size > REMEMBERED_MAX && oldest !== undefined) this.payments.delete(oldest)
    const query = `pay?pa=double@upi&pn=${encodeURIComponent('The double')}&am=${amount}&cu=INR&tr=${id}`
    const links = {
      bhim_link: `upi://${query}`,
      phonepe_link: `phonepe://${query}`,
      paytm_link: `paytmmp://${query}`,
      gpay_link: `tez://upi/${query}`,
    }
    const upi_intent = this.hasIntents ? links : null
    return { order_id: this.lastId, payment_url: payUrl(token), upi_id_hash: '9f0c', upi_intent }
  }

  standing({ client_txn_id: id = '', txn_date }: Readonly<Record<string, string>>): object {
    const payment = this.known(id)
    if (txn_date !== istDates(textOf(payment.createdMs))[0]) throw new PaymentRejected('Record not found')
    const { amount, ...fields } = fieldsOf(payment)
    return { ...fields, id: payment.orderId, amount: exactNumber(plainDecimal(amount) ?? '0'), Merchant: merchant }
  }
}

const merchant = { name: 'The double', upi_id: 'double@upi' }

/** All fields as text, as a webhook has them. */
export function fieldsOf({ orderId, given, status, credited, utr, createdMs }: UpiPayment) {
  const { udf1 = '', udf2 = '', udf3 = '', amount = '', ...rest } = given
  const success = status === 'success'
  return {
    ...rest,
    id: String(orderId),
    amount: success ? credited : amount,
    customer_vpa: success ? 'buyer@upi' : '',
    upi_txn_id: success ? utr : '',
    status,
    remark: success ? 'transaction successful' : '',
    udf1,
    udf2,
    udf3,
    txnAt: textOf(createdMs + 5.5 * 3_600_000).slice(0, 10),
    createdAt: textOf(createdMs),
  }
}

function permilleOf(amount: string, permille: number): string {
  const { units, decimals } = decimalFrom(amount)
  const paise = divideUp(units * 100n * BigInt(permille), 1000n * 10n ** BigInt(decimals))
  return decimalText({ units: paise, decimals: 2 })
}

function textOf(ms: number): string {
  return new Date(ms).toISOString()
}

import { randomUUID } from 'node:crypto'
import { exactNumber } from '../../exact-json.ts'
import { plainDecimal } from '../../../domain/decimal.ts'
import { istDates } from '../upigateway.ts'
import {
  type Act,
  type DoubleCall,
  chosen,
  Double,
  json,
  payerPage,
  permilleOf,
  type Played,
  redirect,
  Refused,
  type Reply,
  type Route,
} from '../../testing/double.ts'

interface UpiPayment extends Played {
  readonly orderId: number
  readonly token: string
  readonly given: Readonly<Record<string, string>>
  status: string
  credited: string
  utr: string
}

/** By act: the new status, and the credited permille of the requested amount. */
const acts: Readonly<Record<string, readonly [status: string, permille?: number]>> = {
  pay: ['success', 1000],
  short: ['success', 500],
  over: ['success', 1100],
  scan: ['scanning'],
  fail: ['failure'],
}
const needed = 'client_txn_id,amount,p_info,customer_name,customer_email,customer_mobile,redirect_url'.split(',')

/** EKQR: errors have status 200, webhooks are unsigned, and any unknown word becomes the status. */
export class UpiGatewayDouble extends Double<'create' | 'check', UpiPayment> {
  readonly keys = { key: 'key-of-the-double' }
  /** Whether the plan includes links into apps. */
  hasIntents = true
  /** Whether the account accepts more than whole rupees. */
  takesPaise = true
  /** If set, the words in which every opening is rejected. */
  refusesAll: string | undefined
  private lastId = 500_040
  protected readonly refusals = {
    '500': new Refused(500, '', 'Server Error'),
    forbidden: refuse('Invalid API Key'),
    unknown: refuse('Record not found'),
    wrong: refuse('wrong'),
  }
  protected readonly routes: readonly Route<'create' | 'check'>[] = [
    ['create', 'post', '/api/create_order', (asked) => answer('Order Created', this.open(fieldsIn(asked)))],
    [
      'check',
      'post',
      '/api/check_order_status',
      (asked) => answer('Transaction found', this.standing(fieldsIn(asked))),
    ],
    ['browser', 'get', '/gateway/pay/:id', ({ id }) => this.page(id)],
    ['browser', 'post', '/gateway/pay/:id', async (asked) => this.decided(asked)],
  ]

  get url(): string {
    return `${this.origin}/api`
  }

  get env() {
    return { UPIGATEWAY_URL: this.url, UPIGATEWAY_KEY: this.keys.key }
  }

  open(given: Readonly<Record<string, string>>): object {
    if (this.refusesAll !== undefined) throw refuse(this.refusesAll)
    const lacking = needed.find((name) => !given[name])
    if (lacking !== undefined) throw refuse(`${lacking} is required`)
    const { client_txn_id: id = '', amount = '', customer_mobile: mobile = '' } = given
    if (!/^[\w-]{1,30}$/.test(id)) throw refuse('Invalid client_txn_id')
    if (!/^\d{10}$/.test(mobile)) throw refuse(`Invalid customer_mobile ${mobile}`)
    if (!/^\d+(\.\d{1,2})?$/.test(amount) || Number(amount) < 1) throw refuse('Invalid amount')
    if (!this.takesPaise && !/^\d+$/.test(amount)) throw refuse('Invalid amount')
    if (!/^[A-Za-z0-9 .]+$/.test(given['customer_name'] ?? '')) throw refuse('Invalid customer_name')
    if (this.payments.has(id)) throw refuse('Duplicate client_txn_id')
    this.lastId += 1
    const token = randomUUID().replaceAll('-', '')
    const state = { createdMs: this.now(), status: 'created', credited: '', utr: '' }
    this.kept({ id, reference: id, orderId: this.lastId, token, given, ...state })
    const query = `pay?pa=double@upi&pn=${encodeURIComponent('The double')}&am=${amount}&cu=INR&tr=${id}`
    const links = {
      bhim_link: `upi://${query}`,
      phonepe_link: `phonepe://${query}`,
      paytm_link: `paytmmp://${query}`,
      gpay_link: `tez://upi/${query}`,
    }
    const payment_url = `${this.origin}/gateway/pay/${token}`
    return { payment_url, upi_intent: this.hasIntents ? links : null }
  }

  private standing({ client_txn_id: id = '', txn_date }: Readonly<Record<string, string>>): object {
    const payment = this.known(id)
    if (txn_date !== istDates(textOf(payment.createdMs))[0]) throw this.refusals.unknown
    const { amount, ...fields } = this.news(payment)
    return { ...fields, amount: exactNumber(plainDecimal(amount) ?? '0') }
  }

  protected become(payment: UpiPayment, { do: what, amount, utr }: Act): UpiPayment {
    const [status, permille = 1000] = acts[what] ?? [what]
    payment.status = status
    // A bank number may come with any status.
    if (status !== 'success' && utr === undefined) return payment
    payment.credited = amount ?? permilleOf(payment.given['amount'] ?? '0', permille, 2)
    payment.utr = utr ?? (payment.utr || String(600_000_000_000 + payment.orderId))
    return payment
  }

  private page(token: string): Reply {
    const payment = this.found((one) => one.token === token)
    if (payment.status === 'created') this.happen(payment.id, { do: 'scan' })
    const asks = `Amount: Rs ${payment.given['amount']} (${payment.status}).`
    return payerPage('UPI double', asks, { pay: 'Pay', fail: 'Fail' })
  }

  private async decided({ id: token, body }: DoubleCall): Promise<Reply> {
    const payment = this.found((one) => one.token === token)
    await this.act(payment.id, { do: chosen(body) })
    const back = new URL(payment.given['redirect_url'] ?? '')
    back.searchParams.set('client_txn_id', payment.id)
    back.searchParams.set('txn_id', payment.utr || String(payment.orderId))
    return redirect(back.href)
  }

  protected authorize(asked: DoubleCall): void {
    if (fieldsIn(asked)['key'] !== this.keys.key) throw this.refusals.forbidden
  }

  protected refusal({ status, message }: Refused): Reply {
    return status === 500 ? { status, text: `<html>${message}</html>` } : json({ status: false, msg: message })
  }

  /** All fields as text. */
  protected news({ id, given, status, credited, utr }: UpiPayment) {
    const isCredited = status === 'success' || utr !== ''
    const amount = isCredited ? credited : (given['amount'] ?? '')
    return { client_txn_id: id, amount, upi_txn_id: isCredited ? utr : '', status }
  }

  protected override written(news: object): string {
    return new URLSearchParams(news as Record<string, string>).toString()
  }

  /** Nothing is signed. */
  signed(body: string) {
    return { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  }
}

function refuse(message: string): Refused {
  return new Refused(200, '', message)
}

function answer(msg: string, data: object): Reply {
  return json({ status: true, msg, data })
}

/** JSON or a form. */
function fieldsIn({ body, headers }: DoubleCall): Readonly<Record<string, string>> {
  if (headers['content-type']?.includes('form-urlencoded')) return Object.fromEntries(new URLSearchParams(body))
  try {
    return JSON.parse(body) as Record<string, string>
  } catch {
    return {}
  }
}

function textOf(ms: number): string {
  return new Date(ms).toISOString()
}

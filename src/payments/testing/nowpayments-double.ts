import { nowPaymentsSignature, sortedJson } from '../nowpayments-signature.ts'
import { type Asked, DoubleServer, type Reply, sendWebhook } from './double-server.ts'
import { type Act, type DoublePayment, NowPaymentsAccount, webhookOf } from './nowpayments-account.ts'

export type { BadAnswer } from './double-server.ts'

interface DoubleOptions {
  readonly apiKey: string
  readonly ipnSecret: string
  readonly port?: number
  readonly now?: () => number
}

const WEBHOOKS_MAX = 100

/** Starts a double of NOWPayments on this machine: its bodies, its errors, its signed webhooks. */
export async function nowPaymentsDouble(options: DoubleOptions): Promise<NowPaymentsDouble> {
  const double = new NowPaymentsDouble(options)
  await double.listen(options.port)
  return double
}

export class NowPaymentsDouble extends DoubleServer<'create' | 'check' | 'rates'> {
  readonly account: NowPaymentsAccount
  private readonly options: DoubleOptions

  constructor(options: DoubleOptions) {
    super(options.now)
    this.options = options
    this.account = new NowPaymentsAccount(this.now)
  }

  /** Ends in `/v1`. */
  get url(): string {
    return `${this.origin}/v1`
  }

  /** Ids, the newest last. */
  paymentIds(reference?: string): string[] {
    const payments = this.account.all()
    return payments.filter(({ orderId }) => reference === undefined || orderId === reference).map(({ id }) => id)
  }

  /** Answers the statuses of the webhooks, or the error where none arrived. */
  async act(paymentId: string, act: Act): Promise<(number | string)[]> {
    const payment = this.account.act(paymentId, act)
    const sent: (number | string)[] = []
    const count = Math.min(act.webhooks ?? 1, WEBHOOKS_MAX)
    for (let turn = 0; turn < count; turn += 1) sent.push(await this.send(payment))
    return sent
  }

  /** A payment that the shop did not open; answers its id. */
  foreign(given: { orderId: string | null; price?: string; webhookUrl?: string; parentId?: string }): string {
    const { orderId, price = '25.00', webhookUrl, parentId } = given
    const parent = parentId === undefined ? undefined : this.account.known(parentId)
    const opened = { orderId, description: null, price, payAmount: '0.29411765', coin: 'ltc', webhookUrl }
    return this.account.open(opened, parent).id
  }

  /** A signed webhook of the payment's present state, with these fields changed before or after signing. */
  webhook(paymentId: string, { signed, forged }: { signed?: object; forged?: object } = {}) {
    const { ipnSecret } = this.options
    const { body } = webhookOf(this.account.known(paymentId), ipnSecret, this.now())
    const sent = sortedJson(JSON.stringify({ ...(JSON.parse(body) as object), ...signed })) ?? ''
    const text = forged ? JSON.stringify({ ...(JSON.parse(sent) as object), ...forged }) : sent
    return { body: text, signature: nowPaymentsSignature(sent, ipnSecret) }
  }

  private async send(payment: DoublePayment): Promise<number | string> {
    const { body, signature } = webhookOf(payment, this.options.ipnSecret, this.now())
    return sendWebhook(payment.webhookUrl, { body, headers: { 'x-nowpayments-sig': signature } })
  }

  protected kindOf({ method, url }: Asked): 'create' | 'check' | 'rates' {
    return method === 'POST' ? 'create' : url.pathname.includes('/payment/') ? 'check' : 'rates'
  }

  protected async served({ method, url, headers, body }: Asked): Promise<Reply | undefined> {
    if (headers['x-api-key'] !== this.options.apiKey) return undefined
    try {
      const answer = await this.account.served(method, url, body)
      return { status: method === 'POST' ? 201 : 200, text: JSON.stringify(answer) }
    } catch (error) {
      const message = error instanceof Error ? error.message : 'wrong'
      const isUnknown = message === 'Payment not found' || message === 'Not found'
      const code = message.includes('minimal') ? 'AMOUNT_MINIMAL_ERROR' : 'INVALID_REQUEST_PARAMS'
      return isUnknown ? problem(404, 'NOT_FOUND', message) : problem(400, code, message)
    }
  }

  protected problem(answer: '500' | 'forbidden'): Reply {
    if (answer === '500') return problem(500, 'INTERNAL_ERROR', 'Internal server error')
    return problem(403, 'INVALID_API_KEY', 'Invalid api key')
  }

  protected shownPayments(): readonly DoublePayment[] {
    return this.account.all()
  }

  protected async controlled(paymentId: string, given: object): Promise<object> {
    return { webhooks: await this.act(paymentId, given as Act) }
  }
}

function problem(status: number, code: string, message: string): Reply {
  return { status, text: JSON.stringify({ status: false, statusCode: status, code, message }) }
}

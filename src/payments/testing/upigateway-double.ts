import { PaymentRejected } from '../payment-provider.ts'
import { type Asked, DoubleServer, type Reply, sendWebhook } from './double-server.ts'
import { fieldsOf, type UpiAct, UpiGatewayAccount, type UpiPayment } from './upigateway-account.ts'

interface DoubleOptions {
  readonly key: string
  /** As entered in the merchant's panel. */
  readonly webhookUrl?: string
  readonly port?: number
  readonly now?: () => number
}

const WEBHOOKS_MAX = 100

/** Starts a double of EKQR on this machine: its bodies, its errors, its unsigned webhooks and its payment page. */
export async function upiGatewayDouble(options: DoubleOptions): Promise<UpiGatewayDouble> {
  const double = new UpiGatewayDouble(options)
  await double.listen(options.port)
  return double
}

export class UpiGatewayDouble extends DoubleServer<'create' | 'check'> {
  readonly account: UpiGatewayAccount
  private readonly key: string

  constructor({ key, webhookUrl, now }: DoubleOptions) {
    super(now)
    this.key = key
    this.webhookUrl = webhookUrl
    this.account = new UpiGatewayAccount(this.now)
  }

  /** Ends in `/api`. */
  get url(): string {
    return `${this.origin}/api`
  }

  /** Our references, the newest last. */
  paymentIds(): string[] {
    return this.account.all().map(({ id }) => id)
  }

  /** Answers the statuses of the webhooks, or the error where none arrived. */
  async act(paymentId: string, act: UpiAct): Promise<(number | string)[]> {
    const payment = this.account.act(paymentId, act)
    const sent: (number | string)[] = []
    const count = Math.min(act.webhooks ?? 1, WEBHOOKS_MAX)
    for (let turn = 0; turn < count; turn += 1) sent.push(await this.send(payment))
    return sent
  }

  /** A webhook of the payment's present state, with these fields changed: nothing is signed. */
  webhook(paymentId: string, forged: Readonly<Record<string, string>> = {}): string {
    return new URLSearchParams({ ...fieldsOf(this.account.known(paymentId)), ...forged }).toString()
  }

  private async send(payment: UpiPayment): Promise<number | string> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return sendWebhook(this.webhookUrl, { body: this.webhook(payment.id), headers })
  }

  protected kindOf({ url }: Asked): 'create' | 'check' | undefined {
    if (url.pathname.startsWith('/gateway/')) return undefined
    return url.pathname.endsWith('/create_order') ? 'create' : 'check'
  }

  protected async served(asked: Asked): Promise<Reply | undefined> {
    const { pathname } = asked.url
    const token = /^\/gateway\/pay\/(\w+)$/.exec(pathname)?.[1]
    if (token !== undefined) return this.page(token, asked)
    const given = bodyOf(asked)
    if (given['key'] !== this.key) return undefined
    try {
      if (pathname === '/api/create_order') {
        const pay = (own: string): string => `${this.origin}/gateway/pay/${own}`
        return answer({ status: true, msg: 'Order Created', data: this.account.created(given, pay) })
      }
      if (pathname === '/api/check_order_status')
        return answer({ status: true, msg: 'Transaction found', data: this.account.standing(given) })
      return answer({ status: false, msg: 'Not found' })
    } catch (error) {
      return answer({ status: false, msg: error instanceof PaymentRejected ? error.message : 'wrong' })
    }
  }

  /** The page on which the payer pays or fails; a form post stands for the payer's app. */
  private async page(token: string, { method, body }: Asked): Promise<Reply> {
    const payment = this.account.behind(token)
    if (!payment) return { status: 404, text: 'Not found' }
    const what = new URLSearchParams(body).get('do')
    if (method === 'POST' && what !== null) {
      await this.act(payment.id, { do: what })
      const back = new URL(payment.given['redirect_url'] ?? '')
      back.searchParams.set('client_txn_id', payment.id)
      back.searchParams.set('txn_id', payment.utr || String(payment.orderId))
      return { status: 303, text: '', headers: { location: back.href } }
    }
    if (payment.status === 'created') this.account.act(payment.id, { do: 'scan' })
    return { status: 200, text: pageOf(payment), headers: { 'content-type': 'text/html; charset=utf-8' } }
  }

  protected problem(answerWith: '500' | 'forbidden'): Reply {
    if (answerWith === '500') return { status: 500, text: '<html>Server Error</html>' }
    return answer({ status: false, msg: 'Invalid API Key' })
  }

  protected shownPayments(): readonly UpiPayment[] {
    return this.account.all()
  }

  protected async controlled(paymentId: string, given: object): Promise<object> {
    return { webhooks: await this.act(paymentId, given as UpiAct) }
  }
}

/** Errors come under 200, too. */
function answer(body: object): Reply {
  return { status: 200, text: JSON.stringify(body) }
}

/** JSON or a form. */
function bodyOf({ body, headers }: Asked): Readonly<Record<string, string>> {
  if (headers['content-type']?.includes('form-urlencoded')) return Object.fromEntries(new URLSearchParams(body))
  try {
    return JSON.parse(body) as Record<string, string>
  } catch {
    return {}
  }
}

function pageOf({ given, status }: UpiPayment): string {
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>UPI double</title>
<body><main><h1>UPI double</h1><p>Amount: Rs ${given['amount']} (${status}). No money moves.</p>
<form method="post"><button name="do" value="pay">Pay</button> <button name="do" value="fail">Fail</button></form></main></body></html>`
}

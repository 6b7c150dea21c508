import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { nowPaymentsSignature, sortedJson } from '../nowpayments-signature.ts'
import { PaymentRejected } from '../payment-provider.ts'
import { type Act, type DoublePayment, NowPaymentsAccount, webhookOf } from './nowpayments-account.ts'

const badAnswers = ['500', '429', 'html', 'slow', 'lost', 'huge', 'nonsense', 'redirect', 'forbidden'] as const
export type BadAnswer = (typeof badAnswers)[number]

/** Answers the next calls badly; `lost` does what was asked and answers nothing. */
export interface Fault {
  readonly answer: BadAnswer
  readonly times?: number
  readonly on?: 'create' | 'check' | 'rates'
}

interface Call {
  readonly at: string
  readonly method: string
  readonly path: string
  readonly body: string
  readonly status: number
}

interface DoubleOptions {
  readonly apiKey: string
  readonly ipnSecret: string
  readonly port?: number
  readonly now?: () => number
}

const CALLS_MAX = 10_000
const BODY_MAX = 100_000
const SLOW_MS_MAX = 60_000
const HUGE_BYTES = 3_000_000
const WEBHOOK_MS = 10_000
const WEBHOOKS_MAX = 100

/** Starts a double of NOWPayments on this machine: its bodies, its errors, its signed webhooks. */
export async function nowPaymentsDouble(options: DoubleOptions): Promise<NowPaymentsDouble> {
  const double = new NowPaymentsDouble(options)
  await double.listen(options.port ?? 0)
  return double
}

export class NowPaymentsDouble {
  readonly account: NowPaymentsAccount
  readonly calls: Call[] = []
  private readonly options: DoubleOptions
  private readonly now: () => number
  private readonly faults: Fault[] = []
  private readonly server: Server
  private port = 0

  constructor(options: DoubleOptions) {
    this.options = options
    this.now = options.now ?? Date.now
    this.account = new NowPaymentsAccount(this.now)
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy())
    })
  }

  /** Ends in `/v1`. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/v1`
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
    this.port = (this.server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => {
      this.server.close(resolve)
    })
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

  fail(fault: Fault): void {
    this.faults.push(fault)
  }

  private async send(payment: DoublePayment): Promise<number | string> {
    if (payment.webhookUrl === undefined) return 'no webhook address'
    const { body, signature } = webhookOf(payment, this.options.ipnSecret, this.now())
    const headers = { 'content-type': 'application/json', 'x-nowpayments-sig': signature }
    try {
      const signal = AbortSignal.timeout(WEBHOOK_MS)
      const response = await fetch(payment.webhookUrl, { method: 'POST', headers, body, signal })
      await response.body?.cancel()
      return response.status
    } catch (error) {
      return error instanceof Error ? error.message : 'not sent'
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request
    const url = new URL(request.url ?? '/', 'http://double')
    const body = await bodyOf(request)
    if (url.pathname.startsWith('/control/')) {
      const { status, text } = await answerOf(async () => this.controlled(method, url.pathname, body))
      reply(response, status, text)
      return
    }
    const isAllowed = request.headers['x-api-key'] === this.options.apiKey
    const fault = isAllowed ? this.faultFor(method, url.pathname) : 'forbidden'
    const isServed = fault === undefined || fault === 'lost'
    const { status, text } = isServed
      ? await answerOf(async () => this.account.served(method, url, body), method === 'POST' ? 201 : 200)
      : { status: 0, text: '' }
    this.calls.push({ at: new Date(this.now()).toISOString(), method, path: url.pathname + url.search, body, status })
    if (this.calls.length > CALLS_MAX) this.calls.shift()
    if (fault === undefined) reply(response, status, text)
    else await answerBadly(response, fault)
  }

  private async controlled(method: string, pathname: string, body: string): Promise<object> {
    const given = (body === '' ? {} : JSON.parse(body)) as Act & Fault
    const name = /^\/control\/payments\/(\w+)$/.exec(pathname)?.[1]
    const id = name === 'latest' ? this.paymentIds().at(-1) : name
    if (method === 'POST' && id !== undefined) return { webhooks: await this.act(id, given) }
    if (method === 'POST' && pathname === '/control/answers') {
      if (!badAnswers.includes(given.answer)) throw new PaymentRejected(`an answer is one of ${badAnswers.join(', ')}`)
      this.fail(given)
      return { faults: this.faults }
    }
    if (pathname === '/control/payments') return this.account.all()
    if (pathname === '/control/calls') return this.calls
    throw new PaymentRejected('no such control')
  }

  private faultFor(method: string, pathname: string): BadAnswer | undefined {
    const on = method === 'POST' ? 'create' : pathname.includes('/payment/') ? 'check' : 'rates'
    const index = this.faults.findIndex((fault) => fault.on === undefined || fault.on === on)
    const fault = this.faults[index]
    if (!fault) return undefined
    const times = (fault.times ?? 1) - 1
    if (times > 0) this.faults[index] = { ...fault, times }
    else this.faults.splice(index, 1)
    return fault.answer
  }
}

async function answerOf(ask: () => Promise<object>, status = 200): Promise<{ status: number; text: string }> {
  try {
    return { status, text: JSON.stringify(await ask()) }
  } catch (error) {
    const message = error instanceof Error ? error.message : 'wrong'
    const isUnknown = message === 'Payment not found' || message === 'Not found'
    const code = message.includes('minimal') ? 'AMOUNT_MINIMAL_ERROR' : 'INVALID_REQUEST_PARAMS'
    return isUnknown
      ? { status: 404, text: problem(404, 'NOT_FOUND', message) }
      : { status: 400, text: problem(400, code, message) }
  }
}

function problem(statusCode: number, code: string, message: string): string {
  return JSON.stringify({ status: false, statusCode, code, message })
}

function reply(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

async function answerBadly(response: ServerResponse, fault: BadAnswer): Promise<void> {
  switch (fault) {
    case '500':
      return reply(response, 500, problem(500, 'INTERNAL_ERROR', 'Internal server error'))
    case '429':
      response.setHeader('retry-after', '1')
      return reply(response, 429, '<html>slow down</html>')
    case 'html':
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>Bad gateway</h1></html>')
      return
    case 'slow':
      await sleep(SLOW_MS_MAX, undefined, { ref: false })
      response.destroy()
      return
    case 'lost':
      response.destroy()
      return
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`"${'x'.repeat(HUGE_BYTES)}"`)
      return
    case 'nonsense':
      return reply(response, 200, '{"payment_id":"x","payment_status":17')
    case 'redirect':
      response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
      return
    case 'forbidden':
      return reply(response, 403, problem(403, 'INVALID_API_KEY', 'Invalid api key'))
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.byteLength
    if (bytes > BODY_MAX) throw new RangeError('a body that is too large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

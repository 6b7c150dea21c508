import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import express, { type Request, type Response } from 'express'
import { freePort } from '../../ports/testing/free-port.ts'
import { decimalFrom, shareUp } from '../../domain/decimal.ts'
import { PaymentRejected } from '../payment-provider.ts'

const HUGE_BYTES = 3_000_000
/** Undefined if the response is the provider's own refusal, late, or missing. */
const badReplies = {
  '500': undefined,
  '429': { status: 429, text: '<html>slow down</html>' },
  '429-bare': { status: 429, text: '<html>slow down</html>' },
  html: { ...page('Bad gateway', ''), status: 502 },
  slow: undefined,
  lost: undefined,
  huge: { status: 200, text: `"${'x'.repeat(HUGE_BYTES)}"` },
  nonsense: { status: 200, text: '{"payment_id":"x","payment_status":17' },
  redirect: { status: 302, text: '', headers: { location: 'http://127.0.0.1:9/' } },
  forbidden: undefined,
}
export type BadAnswer = keyof typeof badReplies
export const badAnswers = Object.keys(badReplies) as BadAnswer[]

/** Timeout of the tested provider. Good answers take less, even on a busy machine. */
export function timeoutFor(answer: BadAnswer): number {
  return answer === 'slow' ? 1_000 : 10_000
}

/** Answers the next calls badly. `lost` does what was requested and does not answer. */
interface Fault<Kind> {
  readonly answer: BadAnswer
  readonly times?: number
  readonly on?: Kind
}

/** What happens to a payment. */
export interface Act {
  /** A word that the double knows, or the payment's new status in the provider's own word. */
  readonly do: string
  /** Paid or refunded; by default a share of the requested amount. */
  readonly amount?: string | undefined
  /** Of the money that arrives; by default the requested one. */
  readonly currency?: string
  /** The coin that arrives. */
  readonly coin?: string
  /** The bank's number of the transfer; a new one by default. */
  readonly utr?: string
  /** With `approve`: how its capture ends, by an issue such as INSTRUMENT_DECLINED, or PENDING. */
  readonly capture?: string | undefined
  /** Webhooks sent of it; 1 by default. */
  readonly webhooks?: number
}

/** Happens by itself at this age of the payment. */
export interface Step extends Act {
  readonly afterMs: number
}

export interface DoubleOptions {
  readonly now?: () => number
  readonly webhookUrl?: string
}

export interface Played {
  readonly id: string
  /** The shop's reference. */
  readonly reference: string | null
  readonly createdMs: number
}

/** A rejected call. */
export class Refused extends PaymentRejected {
  readonly status: number
  override readonly code: string

  constructor(status: number, code: string, message = code) {
    super(message)
    this.status = status
    this.code = code
  }
}

export interface DoubleCall {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** The `:id` of the path. */
  readonly id: string
}

export interface Reply {
  readonly status: number
  readonly text: string
  /** By default those of JSON. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Webhook {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

interface Changes {
  /** The act that the webhook reports; by default the current state. */
  readonly of?: string | undefined
  /** Fields to change before signing (`signed`) and after (`forged`). */
  readonly signed?: object
  readonly forged?: object
}

/** A route of the API. Faults apply by kind; what browsers load is never recorded or failed. */
export type Route<Kind extends string> = readonly [
  kind: Kind | 'browser',
  method: 'get' | 'post',
  path: string,
  answer: (asked: DoubleCall) => Reply | Promise<Reply>,
]

type Call = Omit<DoubleCall, 'url' | 'id'> & { readonly at: string; readonly path: string; readonly status: number }

const REMEMBERED_MAX = 10_000
const BODY_MAX = 100_000
const SLOW_MS_MAX = 60_000
const WEBHOOK_MS = 10_000
const WEBHOOKS_MAX = 100

/**
 * The double of a provider: payments in memory, recorded calls, bad answers, webhooks, and control by `npm run shop -- doubles`.
 * No money moves. A subclass adds keys, routes, bodies and acts.
 */
export abstract class Double<Kind extends string, Payment extends Played> {
  readonly calls: Call[] = []
  /** The address of webhooks, for providers that know it from their dashboard. */
  webhookUrl: string | undefined
  /** Sent with 429, in seconds. */
  retryAfter = 1
  /** The keys of the shop. */
  abstract readonly keys: object
  protected readonly retryHeader: string = 'retry-after'
  protected readonly now: () => number
  protected readonly payments = new Map<string, Payment>()
  private readonly scripts = new Map<string, readonly Step[]>()
  /** The remaining steps of each payment's script. */
  private readonly due = new WeakMap<Payment, Step[]>()
  private readonly faults: Fault<Kind>[] = []
  private readonly held = new Map<string, Promise<void>>()
  private server: Server | undefined
  private port = 0
  protected abstract readonly routes: readonly Route<Kind>[]
  /** Rejections: server error, wrong keys, unknown payment, invalid body. */
  protected abstract readonly refusals: Readonly<Record<'500' | 'forbidden' | 'unknown' | 'wrong', Refused>>

  constructor({ now = Date.now, webhookUrl }: DoubleOptions = {}) {
    this.now = now
    this.webhookUrl = webhookUrl
  }

  /** The address of its API. */
  abstract get url(): string
  /** The environment of a shop that uses it. */
  abstract get env(): Readonly<Record<string, string>>
  /** Throws when the keys of a call are wrong. */
  protected abstract authorize(asked: DoubleCall, kind: Kind): void
  protected abstract refusal(refused: Refused): Reply
  /** Plays an act. Returns the affected payment; throws when the act is impossible. */
  protected abstract become(payment: Payment, act: Act): Payment
  /** The content of a webhook. `of`: the act that it reports. */
  protected abstract news(payment: Payment, of: string | undefined): object
  /** A signed webhook with this body. */
  abstract signed(body: string): Webhook

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async listen(port?: number): Promise<this> {
    this.port = port ?? (await freePort())
    const app = express().use(express.text({ type: () => true, limit: BODY_MAX }))
    app.all('/control/{*rest}', async (request, response) => send(response, await this.steered(this.asked(request))))
    for (const [kind, method, path, answer] of this.routes)
      app[method](path, async (request, response) => this.serve(kind, this.asked(request), response, answer))
    app.use((_request, response) => send(response, this.refusal(this.refusals.unknown)))
    this.server = app.listen(this.port, '127.0.0.1')
    await once(this.server, 'listening')
    return this
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections()
    await new Promise((resolve) => {
      this.server?.close(resolve)
    })
  }

  fail(fault: Fault<Kind>): void {
    this.faults.push(fault)
  }

  /** Calls of this kind get no answer until the returned function is called. */
  hold(kind: Kind): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.held.set(kind, promise)
    return resolve
  }

  /** Removes all faults. */
  recover(): void {
    this.faults.length = 0
  }

  /** Sets the steps of the next payment of this reference. */
  script(reference: string, steps: readonly Step[]): void {
    this.scripts.set(reference, steps)
  }

  all(): readonly Payment[] {
    return [...this.payments.values()]
  }

  /** Newest last. */
  paymentIds(reference?: string): string[] {
    return this.all().flatMap((one) => (reference === undefined || one.reference === reference ? [one.id] : []))
  }

  known(id: string): Payment {
    const payment = this.payments.get(id)
    if (!payment) throw this.refusals.unknown
    const steps = this.due.get(payment) ?? []
    while (steps[0] && this.now() - payment.createdMs >= steps[0].afterMs) this.become(payment, steps.shift() as Step)
    return payment
  }

  protected found(isIt: (payment: Payment) => boolean): Payment {
    const payment = this.all().find(isIt)
    if (!payment) throw this.refusals.unknown
    return payment
  }

  /** Plays an act without a webhook. */
  happen(id: string, act: Act): Payment {
    return this.become(this.known(id), act)
  }

  /** Plays an act with its webhooks. Returns their statuses, or errors. */
  async act(id: string, act: Act): Promise<(number | string)[]> {
    const payment = this.happen(id, act)
    const sent: (number | string)[] = []
    const count = Math.min(act.webhooks ?? 1, WEBHOOKS_MAX)
    for (let turn = 0; turn < count; turn += 1) sent.push(await this.send(payment, act.do))
    return sent
  }

  protected async send(payment: Payment, of: string): Promise<number | string> {
    return sendWebhook(this.addressOf(payment), this.webhookOf(payment, { of }))
  }

  webhook(id: string, changes: Changes = {}): Webhook {
    return this.webhookOf(this.known(id), changes)
  }

  private webhookOf(payment: Payment, { of, signed, forged }: Changes): Webhook {
    const news = { ...this.news(payment, of), ...signed }
    const webhook = this.signed(this.written(news))
    return forged ? { ...webhook, body: this.written({ ...news, ...forged }) } : webhook
  }

  protected addressOf(_payment: Payment): string | undefined {
    return this.webhookUrl
  }

  protected written(news: object): string {
    return JSON.stringify(news)
  }

  protected kept(payment: Payment): Payment {
    remember(this.payments, payment.id, payment)
    this.due.set(payment, [...(this.scripts.get(payment.reference ?? '') ?? [])])
    return payment
  }

  private asked({ method, headers, body, originalUrl, params }: Request): DoubleCall {
    const id = String(params['id'] ?? '')
    return { method, headers, url: new URL(originalUrl, this.origin), body: typeof body === 'string' ? body : '', id }
  }

  private async serve(
    kind: Kind | 'browser',
    asked: DoubleCall,
    response: Response,
    answer: Route<Kind>[3],
  ): Promise<void> {
    const fault = kind === 'browser' ? undefined : this.faultFor(kind)
    await this.held.get(kind)
    const reply = fault === undefined || fault === 'lost' ? await this.replied(kind, asked, answer) : undefined
    if (kind !== 'browser') {
      const { method, headers, body, url } = asked
      const at = new Date(this.now()).toISOString()
      this.calls.push({ at, method, path: url.pathname + url.search, body, headers, status: reply?.status ?? 0 })
      if (this.calls.length > REMEMBERED_MAX) this.calls.shift()
    }
    if (fault !== undefined) await this.answerBadly(response, fault)
    else if (reply) send(response, reply)
  }

  private async replied(kind: Kind | 'browser', asked: DoubleCall, answer: Route<Kind>[3]): Promise<Reply> {
    try {
      if (kind !== 'browser') this.authorize(asked, kind)
      return await answer(asked)
    } catch (error) {
      const { status, code, message } = this.refusals.wrong
      const said = error instanceof PaymentRejected ? error.message : message
      return this.refusal(error instanceof Refused ? error : new Refused(status, code, said))
    }
  }

  private async steered({ method, url, body }: DoubleCall): Promise<Reply> {
    try {
      return json(await this.control(method, url.pathname, (body === '' ? {} : JSON.parse(body)) as object))
    } catch (error) {
      return json({ message: error instanceof Error ? error.message : 'wrong' }, 400)
    }
  }

  private async control(method: string, pathname: string, given: object): Promise<object> {
    const name = /^\/control\/payments\/([\w-]+)$/.exec(pathname)?.[1]
    const id = name === undefined ? undefined : (this.paymentIds(name === 'latest' ? undefined : name).at(-1) ?? name)
    if (method === 'POST' && id !== undefined) return { webhooks: await this.act(id, given as Act) }
    if (method === 'POST' && pathname === '/control/answers') {
      const fault = given as Fault<Kind>
      if (!badAnswers.includes(fault.answer)) throw new PaymentRejected(`an answer is one of ${badAnswers.join(', ')}`)
      this.fail(fault)
      return { faults: this.faults }
    }
    if (pathname === '/control/payments') return this.all()
    // Headers contain keys.
    if (pathname === '/control/calls') return this.calls.map(({ headers: _keys, ...call }) => call)
    throw new PaymentRejected('no such control')
  }

  private faultFor(kind: Kind): BadAnswer | undefined {
    const index = this.faults.findIndex((fault) => fault.on === undefined || fault.on === kind)
    const fault = this.faults[index]
    if (!fault) return undefined
    const times = (fault.times ?? 1) - 1
    if (times > 0) this.faults[index] = { ...fault, times }
    else this.faults.splice(index, 1)
    return fault.answer
  }

  private async answerBadly(response: Response, fault: BadAnswer): Promise<void> {
    if (fault === '500' || fault === 'forbidden') return send(response, this.refusal(this.refusals[fault]))
    if (fault === '429') response.setHeader(this.retryHeader, String(this.retryAfter))
    if (fault === 'slow') await sleep(SLOW_MS_MAX, undefined, { ref: false })
    const reply = badReplies[fault]
    if (reply) send(response, reply)
    else response.destroy()
  }
}

async function sendWebhook(url: string | undefined, { body, headers }: Webhook): Promise<number | string> {
  if (url === undefined) return 'no webhook address'
  try {
    const signal = AbortSignal.timeout(WEBHOOK_MS)
    const given = { 'content-type': 'application/json', ...headers }
    const response = await fetch(url, { method: 'POST', headers: given, body, signal })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    return error instanceof Error ? error.message : 'not sent'
  }
}

function send(response: Response, { status, text, headers }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
}

export function json(body: object, status = 200): Reply {
  return { status, text: JSON.stringify(body) }
}

/** Adds an entry and drops the oldest above the limit. */
export function remember<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > REMEMBERED_MAX && oldest !== undefined) kept.delete(oldest)
}

/** A share of an amount, rounded up, with at least so many decimals. */
export function permilleOf(amount: string, permille: number, decimals = 0): string {
  const precise = Math.max(decimalFrom(amount).decimals, decimals)
  return shareUp(amount, { by: String(permille), of: '1000', decimals: precise })
}

/** The page on which the payer decides. */
export function payerPage(title: string, asks: string, choices: Readonly<Record<string, string>>, action = ''): Reply {
  const buttons = Object.entries(choices).map(([what, label]) => `<button name="do" value="${what}">${label}</button>`)
  return page(title, `<p>${asks} No money moves.</p><form method="post" action="${action}">${buttons.join(' ')}</form>`)
}

/** The choice of the payer. */
export function chosen(form: string): string {
  return new URLSearchParams(form).get('do') ?? ''
}

export function redirect(location: string): Reply {
  return { status: 303, text: '', headers: { location } }
}

export function page(title: string, content: string): Reply {
  const text = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title><body><main><h1>${title}</h1>${content}</main></body></html>`
  return { status: 200, text, headers: { 'content-type': 'text/html; charset=utf-8' } }
}

/** A stand-in of a provider's browser script. */
export function script(provider: 'paypal' | 'cashfree'): Reply {
  const text = readFileSync(new URL(`../${provider}/testing/${provider}-stand-in.js`, import.meta.url), 'utf8')
  return { status: 200, text: `(() => {${text}})()`, headers: { 'content-type': 'text/javascript; charset=utf-8' } }
}

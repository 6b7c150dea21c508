import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../testing/free-port.ts'
import { PaymentRejected } from '../payment-provider.ts'

const badAnswers = [
  '500',
  '429',
  '429-bare',
  'html',
  'slow',
  'lost',
  'huge',
  'nonsense',
  'redirect',
  'forbidden',
] as const
export type BadAnswer = (typeof badAnswers)[number]

/** Answers the next calls badly; `lost` does what was asked and answers nothing. */
export interface Fault<Kind extends string = string> {
  readonly answer: BadAnswer
  readonly times?: number
  readonly on?: Kind
}

interface Call {
  readonly at: string
  readonly method: string
  readonly path: string
  readonly body: string
  readonly headers: IncomingMessage['headers']
  readonly status: number
}

/** A request to a double, read whole. */
export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly text: string
  /** Of JSON by default. */
  readonly headers?: Readonly<Record<string, string>>
}

const CALLS_MAX = 10_000
const BODY_MAX = 100_000
const SLOW_MS_MAX = 60_000
const HUGE_BYTES = 3_000_000
const WEBHOOK_MS = 10_000

/** The HTTP part of a provider's double on this machine: what it was asked, bad answers, and what `npm run doubles` tells it. */
export abstract class DoubleServer<Kind extends string> {
  readonly calls: Call[] = []
  /** Where its webhooks go. */
  webhookUrl: string | undefined
  protected readonly now: () => number
  /** How it says, under 429, for how long it wants to be left alone. */
  protected readonly retryHeader: string = 'retry-after'
  /** In seconds. */
  retryAfter = 1
  private readonly faults: Fault[] = []
  private readonly server: Server
  private port = 0

  constructor(now: () => number = Date.now) {
    this.now = now
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy())
    })
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async listen(given?: number): Promise<void> {
    const port = given ?? (await freePort())
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
    this.port = port
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => {
      this.server.close(resolve)
    })
  }

  fail(fault: Fault<Kind>): void {
    this.faults.push(fault)
  }

  /** Answers well from now on. */
  recover(): void {
    this.faults.length = 0
  }

  /** For faults; undefined for what is no call of the API, and is neither listed nor answered badly. */
  protected abstract kindOf(asked: Asked): Kind | undefined
  /** Undefined for a key or token that is not right. */
  protected abstract served(asked: Asked): Promise<Reply | undefined>
  protected abstract problem(answer: '500' | 'forbidden'): Reply
  /** All payments, as `npm run doubles -- --payments` prints them; the newest last. */
  protected abstract shownPayments(): readonly { readonly id: string }[]
  /** Lets something happen to a payment; throws where it cannot. */
  protected abstract controlled(paymentId: string, given: object): Promise<object>

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers } = request
    const asked = { method, headers, url: new URL(request.url ?? '/', this.origin), body: await bodyOf(request) }
    if (asked.url.pathname.startsWith('/control/')) {
      reply(response, await this.told(asked))
      return
    }
    const kind = this.kindOf(asked)
    const fault = kind === undefined ? undefined : this.faultFor(kind)
    const served = fault === undefined || fault === 'lost' ? await this.served(asked) : undefined
    const status = served?.status ?? 0
    if (kind !== undefined) this.noteCall(asked, status)
    if (fault !== undefined) await this.answerBadly(response, fault)
    else reply(response, served ?? this.problem('forbidden'))
  }

  private noteCall({ url, ...asked }: Asked, status: number): void {
    this.calls.push({ at: new Date(this.now()).toISOString(), path: url.pathname + url.search, ...asked, status })
    if (this.calls.length > CALLS_MAX) this.calls.shift()
  }

  private async told({ method, url, body }: Asked): Promise<Reply> {
    try {
      const given = (body === '' ? {} : JSON.parse(body)) as object
      return { status: 200, text: JSON.stringify(await this.control(method, url.pathname, given)) }
    } catch (error) {
      return { status: 400, text: JSON.stringify({ message: error instanceof Error ? error.message : 'wrong' }) }
    }
  }

  private async control(method: string, pathname: string, given: object): Promise<object> {
    const name = /^\/control\/payments\/([\w-]+)$/.exec(pathname)?.[1]
    const id = name === 'latest' ? this.shownPayments().at(-1)?.id : name
    if (method === 'POST' && id !== undefined) return this.controlled(id, given)
    if (method === 'POST' && pathname === '/control/answers') {
      const fault = given as Fault<Kind>
      if (!badAnswers.includes(fault.answer)) throw new PaymentRejected(`an answer is one of ${badAnswers.join(', ')}`)
      this.fail(fault)
      return { faults: this.faults }
    }
    if (pathname === '/control/payments') return this.shownPayments()
    // Headers carry keys.
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

  private async answerBadly(response: ServerResponse, fault: BadAnswer): Promise<void> {
    switch (fault) {
      case '500':
      case 'forbidden':
        return reply(response, this.problem(fault))
      case '429':
        response.setHeader(this.retryHeader, String(this.retryAfter))
        return reply(response, { status: 429, text: '<html>slow down</html>' })
      case '429-bare':
        return reply(response, { status: 429, text: '<html>slow down</html>' })
      case 'html':
        return reply(response, {
          status: 502,
          text: '<html><h1>Bad gateway</h1></html>',
          headers: { 'content-type': 'text/html' },
        })
      case 'slow':
        await sleep(SLOW_MS_MAX, undefined, { ref: false })
        response.destroy()
        return
      case 'lost':
        response.destroy()
        return
      case 'huge':
        return reply(response, { status: 200, text: `"${'x'.repeat(HUGE_BYTES)}"` })
      case 'nonsense':
        return reply(response, { status: 200, text: '{"payment_id":"x","payment_status":17' })
      case 'redirect':
        response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
    }
  }
}

/** Answers the status of the webhook, or the error where it did not arrive. */
export async function sendWebhook(
  url: string | undefined,
  { body, headers }: { body: string; headers: Readonly<Record<string, string>> },
): Promise<number | string> {
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

function reply(response: ServerResponse, { status, text, headers }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
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

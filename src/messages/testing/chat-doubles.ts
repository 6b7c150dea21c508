import { once } from 'node:events'
import type { Server } from 'node:http'
import express, { type Express, type Request, type Response } from 'express'
import { freePort } from '../../ports/testing/free-port.ts'
import { Faults } from './faults.ts'

export const chatFaults = ['keys', 'chat', 'forbidden', 'wait', '500', 'html', 'refused', 'slow'] as const
export type ChatFault = (typeof chatFaults)[number]

export interface ChatCall {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

interface Limit {
  readonly max: number
  readonly windowMs: number
}

export interface ChatDoubleOptions {
  readonly now?: () => number
}

/** A chat service with one chat. It keeps the messages that it has accepted. */
abstract class ChatDouble extends Faults<ChatFault> {
  readonly messages: ChatCall[] = []
  protected readonly now: () => number
  private readonly acceptedAt: number[] = []
  private server: Server | undefined
  private port = 0

  constructor({ now = Date.now }: ChatDoubleOptions = {}) {
    super(chatFaults)
    this.now = now
  }

  protected abstract readonly limits: readonly Limit[]
  protected abstract readonly textMax: number
  protected abstract route(app: Express): void
  abstract get env(): Readonly<Record<string, string>>

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async listen(port?: number): Promise<this> {
    this.port = port ?? (await freePort())
    const app = express().use(express.json())
    this.route(app)
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

  /** Answers a fault of transport; true if the call is over. */
  protected isOver(response: Response): boolean {
    const fault = this.take('500', 'html', 'slow')
    if (fault === '500') response.status(500).json({ message: 'Internal Server Error' })
    if (fault === 'html') response.status(502).send('<html>Bad gateway</html>')
    return fault !== undefined
  }

  /** Seconds until another message is accepted; 0 for now. */
  protected waitS(): number {
    if (this.take('wait')) return 7
    const waits = this.limits.map(({ max, windowMs }) => {
      const oldest = this.acceptedAt.at(-max)
      return oldest === undefined ? 0 : oldest + windowMs - this.now()
    })
    return Math.max(0, ...waits) / 1_000
  }

  protected keep({ path, body }: Request): void {
    this.acceptedAt.push(this.now())
    this.messages.push({ path, body: body as ChatCall['body'] })
  }
}

const WEBHOOK = '/api/webhooks/1001/token-of-the-double'

/** Discord: one webhook, 30 messages a minute. */
export class DiscordDouble extends ChatDouble {
  protected readonly limits = [{ max: 30, windowMs: 60_000 }]
  protected readonly textMax = 2_000

  get env() {
    return { DISCORD_WEBHOOK_URL: this.origin + WEBHOOK }
  }

  protected route(app: Express): void {
    app.get(WEBHOOK, (_request, response) => {
      if (this.isOver(response) || this.isUnknown(response)) return
      response.json({ id: '1001', type: 1, name: 'Shop' })
    })
    app.post(WEBHOOK, (request, response) => {
      if (this.isOver(response) || this.isUnknown(response)) return
      const wait = this.waitS()
      if (wait > 0)
        return void response
          .status(429)
          .json({ message: 'You are being rate limited.', retry_after: wait, global: false })
      const { content } = request.body as { content?: unknown }
      if (this.take('refused') || typeof content !== 'string' || content === '' || content.length > this.textMax)
        return void response.status(400).json({ code: 50_035, message: 'Invalid Form Body' })
      this.keep(request)
      // Without `wait` it answers nothing.
      if (request.query['wait'] === 'true') response.json({ id: String(this.messages.length), content })
      else response.status(204).end()
    })
  }

  private isUnknown(response: Response): boolean {
    const fault = this.take('keys', 'chat', 'forbidden')
    if (fault === 'keys') response.status(401).json({ code: 50_027, message: 'Invalid Webhook Token' })
    else if (fault !== undefined) response.status(404).json({ code: 10_015, message: 'Unknown Webhook' })
    return fault !== undefined
  }
}

const TOKEN = '1001:token-of-the-double_abcdefghijk'

/** Telegram: one bot in one group, a message a second and 20 a minute. */
export class TelegramDouble extends ChatDouble {
  protected readonly limits = [
    { max: 20, windowMs: 60_000 },
    { max: 1, windowMs: 1_000 },
  ]
  protected readonly textMax = 4_096

  get env() {
    return { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_CHAT_ID: '-1002003004', TELEGRAM_URL: this.origin }
  }

  protected route(app: Express): void {
    app.post('/bot:token/:method', (request, response) => {
      if (this.isOver(response)) return
      const refuse = (error_code: number, description: string, parameters = {}): void =>
        void response.status(error_code).json({ ok: false, error_code, description, parameters })
      const { token, method } = request.params
      const { chat_id, text } = request.body as { chat_id?: unknown; text?: unknown }
      if (token !== TOKEN || this.take('keys')) return refuse(401, 'Unauthorized')
      if (this.take('forbidden')) return refuse(403, 'Forbidden: bot was kicked from the supergroup chat')
      if (chat_id !== this.env.TELEGRAM_CHAT_ID || this.take('chat')) return refuse(400, 'Bad Request: chat not found')
      if (method === 'getChat') return void response.json({ ok: true, result: { id: chat_id, type: 'supergroup' } })
      if (method !== 'sendMessage') return refuse(404, 'Not Found')
      const wait = Math.ceil(this.waitS())
      if (wait > 0) return refuse(429, `Too Many Requests: retry after ${wait}`, { retry_after: wait })
      if (this.take('refused') || typeof text !== 'string' || text === '' || text.length > this.textMax)
        return refuse(400, 'Bad Request: message is too long')
      this.keep(request)
      response.json({ ok: true, result: { message_id: this.messages.length, text } })
    })
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { say } from './lines.ts'
import { UsageError } from './program.ts'
import { ConfigError } from '../config.ts'
import type { GatewayName } from '../domain/payment-methods.ts'
import { wayNames } from '../messages/message-way.ts'
import { MessageDoubles } from '../messages/testing/message-doubles.ts'
import { type Doubles, doubles } from '../payments/testing/doubles.ts'
import { PaypalDouble } from '../payments/paypal/testing/paypal-double.ts'

/** In the order of their ports. */
const titles: Readonly<Record<GatewayName, string>> = {
  nowpayments: 'NOWPayments',
  paypal: 'PayPal',
  upigateway: 'UPIGateway',
  cashfree: 'Cashfree',
}
const providers = Object.keys(titles) as GatewayName[]

const ANSWER_MS = 30_000

export interface DoublesOptions {
  readonly port: number
  readonly shop: string
  readonly minutes: number
  readonly provider: string
  readonly do?: string
  readonly payment: string
  readonly amount?: string
  readonly capture?: string
  readonly coin?: string
  readonly webhooks?: number
  readonly answer?: string
  readonly times?: number
  readonly payments?: true
  readonly calls?: true
}

export async function playDoubles(options: DoublesOptions): Promise<void> {
  const { do: what, payment, amount, capture, coin, webhooks, answer, times } = options
  const control = `http://127.0.0.1:${controlOf(options)}`
  if (what !== undefined)
    return sendCommand(`${control}/payments/${payment}`, { do: what, amount, capture, coin, webhooks })
  if (answer !== undefined) return sendCommand(`${control}/answers`, { answer, times })
  if (options.payments) return sendCommand(`${control}/payments`)
  if (options.calls) return sendCommand(`${control}/calls`)
  return play(options)
}

/** Port and path. The ways to reach people have one control, after the providers. */
function controlOf({ provider, port }: DoublesOptions): string {
  if (wayNames.some((name) => name === provider)) return `${port + providers.length}/control/${provider}`
  const found = providers.findIndex((name) => name === provider)
  if (found < 0)
    throw new UsageError(`--provider is one of ${[...providers, ...wayNames].join(', ')}, not '${provider}'`)
  return `${port + found}/control`
}

async function play({ port, shop, minutes }: DoublesOptions): Promise<void> {
  const started: (Doubles[GatewayName] | MessageDoubles)[] = []
  for (const [offset, name] of providers.entries()) started.push(await listenOn(doubleOf(name, shop), port + offset))
  started.push(await listenOn(new MessageDoubles(), port + providers.length))
  const env = started.flatMap((double) => Object.entries(double.env).map(([name, value]) => `${name}=${value}`))
  process.stdout
    .write(`${Object.values(titles).join(', ')}, and a mail server, Discord and Telegram: running for ${minutes} minutes. Start a shop that uses them, in another terminal:

  PAYMENTS=live ${env.join(' ')} DATA_DIR=./data-of-the-double npm start

Then complete a payment that a buyer opened: npm run shop -- doubles --do pay   (more: --help)
And read what the shop sent: npm run shop -- doubles --provider mail --calls
`)
  await sleep(minutes * 60_000)
  for (const double of started) await double.stop()
}

function doubleOf(name: GatewayName, shop: string): Doubles[GatewayName] {
  const double = new doubles[name]({ webhookUrl: `${shop.replace(/\/$/, '')}/api/webhooks/${name}` })
  if (double instanceof PaypalDouble) double.sendsCaptures = true
  return double
}

async function listenOn<Double extends { listen: (port: number) => Promise<unknown> }>(
  double: Double,
  port: number,
): Promise<Double> {
  try {
    await double.listen(port)
    return double
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ConfigError(`cannot listen on port ${port} (${code}); pass another with --port`)
  }
}

/** Sends a command to the running double, and prints the response. */
async function sendCommand(address: string, body?: object): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const sent = body ? { method: 'POST', body: JSON.stringify(body), signal } : { signal }
  const response = await fetch(address, sent).catch(() => {
    throw new ConfigError(`no double answers at ${new URL(address).host}; start it first: npm run shop -- doubles`)
  })
  const reply: unknown = await response.json()
  if (!response.ok) throw new UsageError(`the double rejected the command: ${messageIn(reply)}`)
  say(JSON.stringify(reply, undefined, 2))
}

function messageIn(reply: unknown): string {
  return typeof reply === 'object' && reply !== null && 'message' in reply ? String(reply.message) : 'no reason given'
}

import { setTimeout as sleep } from 'node:timers/promises'
import { say } from './lines.ts'
import { UsageError } from './program.ts'
import { ConfigError } from '../config.ts'
import type { GatewayName } from '../domain/payment-methods.ts'
import { type Doubles, doubles } from '../payments/testing/doubles.ts'
import { PaypalDouble } from '../payments/paypal/testing/paypal-double.ts'

/** Their ports stand behind each other's. */
const titles: Readonly<Record<GatewayName, string>> = {
  nowpayments: 'NOWPayments',
  paypal: 'PayPal',
  upigateway: 'UPIGateway',
  cashfree: 'Cashfree',
}
const providers = Object.keys(titles) as GatewayName[]

const ANSWER_MS = 30_000

export interface DoublesAsked {
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

export async function playDoubles(asked: DoublesAsked): Promise<void> {
  const { port, do: what, payment, amount, capture, coin, webhooks, answer, times } = asked
  const control = `http://127.0.0.1:${port + providers.indexOf(named(asked.provider))}/control`
  if (what !== undefined) return tell(`${control}/payments/${payment}`, { do: what, amount, capture, coin, webhooks })
  if (answer !== undefined) return tell(`${control}/answers`, { answer, times })
  if (asked.payments) return tell(`${control}/payments`)
  if (asked.calls) return tell(`${control}/calls`)
  return play(asked)
}

function named(provider: string): GatewayName {
  const found = providers.find((name) => name === provider)
  if (found === undefined) throw new UsageError(`--provider is one of ${providers.join(', ')}, not '${provider}'`)
  return found
}

async function play({ port, shop, minutes }: DoublesAsked): Promise<void> {
  const started: Doubles[GatewayName][] = []
  for (const [offset, name] of providers.entries()) started.push(await startedAt(name, port + offset, shop))
  const env = started.flatMap((double) => Object.entries(double.env).map(([name, value]) => `${name}=${value}`))
  process.stdout
    .write(`${Object.values(titles).join(', ')}: played for ${minutes} minutes. A shop that asks, in another terminal:

  PAYMENTS=live ${env.join(' ')} DATA_DIR=./data-of-the-double npm start

Then, for a payment that its buyer opened: npm run shop -- doubles --do pay   (more: --help)
`)
  await sleep(minutes * 60_000)
  for (const double of started) await double.stop()
}

async function startedAt(name: GatewayName, port: number, shop: string): Promise<Doubles[GatewayName]> {
  const double = new doubles[name]({ webhookUrl: `${shop.replace(/\/$/, '')}/api/webhooks/${name}` })
  if (double instanceof PaypalDouble) double.sendsCaptures = true
  try {
    return await double.listen(port)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new ConfigError(`port ${port} cannot be listened at (${code}); give another by --port`)
  }
}

/** Tells the double that runs, and prints what it answers. */
async function tell(address: string, body?: object): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const sent = body ? { method: 'POST', body: JSON.stringify(body), signal } : { signal }
  const response = await fetch(address, sent).catch(() => {
    throw new ConfigError(`no double answers at ${new URL(address).host}; start it first: npm run shop -- doubles`)
  })
  const given: unknown = await response.json()
  if (!response.ok) throw new UsageError(`the double refuses it: ${messageIn(given)}`)
  say(JSON.stringify(given, undefined, 2))
}

function messageIn(given: unknown): string {
  return typeof given === 'object' && given !== null && 'message' in given ? String(given.message) : 'no reason given'
}

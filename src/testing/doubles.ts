import { setTimeout as sleep } from 'node:timers/promises'
import { flag, runCommand, text, UsageError, type Values, wholeNumber } from '../cli/command-line.ts'
import { ConfigError } from '../config.ts'
import type { GatewayName } from '../domain/payment-methods.ts'
import { type Doubles, doubles } from '../payments/testing/doubles.ts'
import { PaypalDouble } from '../payments/testing/paypal-double.ts'

/** Their ports stand behind each other's. */
const titles: Readonly<Record<GatewayName, string>> = {
  nowpayments: 'NOWPayments',
  paypal: 'PayPal',
  upigateway: 'UPIGateway',
  cashfree: 'Cashfree',
}
const providers = Object.keys(titles) as GatewayName[]

const PORT = 4100
const SHOP = 'http://localhost:3000'
const MINUTES = 480
const ANSWER_MS = 30_000

const options = {
  port: wholeNumber('N', `where the first listens on this machine, the others behind it (${PORT})`, {
    min: 1,
    max: 65_500,
  }),
  shop: text('URL', `where the shop is (${SHOP})`),
  minutes: wholeNumber('N', `how long they run (${MINUTES})`, { min: 1, max: 10_080 }),
  provider: text('NAME', `which one is told: ${providers.join(', ')} (${providers[0]})`),
  do: text(
    'WHAT',
    'what happens to a payment. At NOWPayments: pay, short, over, again, or a status such as confirming, refunded; at PayPal: approve, cancel, complete, deny, refund, reverse, dispute, win, lose, forget; at UPIGateway: pay, short, over, scan, fail, or a status; at Cashfree: pay, short, over, again, pend, fail, drop, refund, or a status',
  ),
  payment: text('ID', 'to which one (the latest)'),
  amount: text('N', 'in coins or dollars; by default what WHAT means'),
  capture: text('HOW', 'with `approve`: how the capture ends, such as PENDING or INSTRUMENT_DECLINED'),
  coin: text('CODE', 'with `again`: in which coin'),
  webhooks: wholeNumber('N', 'how many are sent of it (1)', { min: 0, max: 100 }),
  answer: text(
    'HOW',
    'the next answers to the shop: 500, 429, 429-bare, html, slow, lost, huge, nonsense, redirect, forbidden',
  ),
  times: wholeNumber('N', 'how many answers (1)', { min: 1, max: 10_000 }),
  payments: flag('prints all payments'),
  calls: flag("prints the shop's calls"),
}

await runCommand({
  name: 'doubles',
  does: 'plays the payment providers for a live shop on this machine, or tells one that runs what happens',
  options,
  notes: `Without --do, --answer, --payments or --calls they start, and print the environment of a shop that asks them. No money moves.

Exit codes: 0 done, 1 it cannot be started or reached, 2 wrong usage.`,
  run,
})

async function run(values: Values<typeof options>): Promise<number> {
  const { port = PORT, do: what, payment = 'latest', amount, capture, coin, webhooks, answer, times } = values
  const control = `http://127.0.0.1:${port + providers.indexOf(named(values.provider))}/control`
  if (what !== undefined) return told(`${control}/payments/${payment}`, { do: what, amount, capture, coin, webhooks })
  if (answer !== undefined) return told(`${control}/answers`, { answer, times })
  if (values.payments) return told(`${control}/payments`)
  if (values.calls) return told(`${control}/calls`)
  return play({ port, shop: values.shop ?? SHOP, minutes: values.minutes ?? MINUTES })
}

function named(provider: string = providers[0] ?? ''): GatewayName {
  const found = providers.find((name) => name === provider)
  if (found === undefined) throw new UsageError(`--provider is one of ${providers.join(', ')}, not '${provider}'`)
  return found
}

async function play({ port, shop, minutes }: { port: number; shop: string; minutes: number }): Promise<number> {
  const started: Doubles[GatewayName][] = []
  for (const [offset, name] of providers.entries()) started.push(await startedAt(name, port + offset, shop))
  const env = started.flatMap((double) => Object.entries(double.env).map(([name, value]) => `${name}=${value}`))
  process.stdout
    .write(`${Object.values(titles).join(', ')}: played for ${minutes} minutes. A shop that asks, in another terminal:

  PAYMENTS=live ${env.join(' ')} DATA_DIR=./data-of-the-double npm start

Then, for a payment that its buyer opened: npm run doubles -- --do pay   (more: --help)
`)
  await sleep(minutes * 60_000)
  for (const double of started) await double.stop()
  return 0
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
async function told(address: string, body?: object): Promise<number> {
  const signal = AbortSignal.timeout(ANSWER_MS)
  const sent = body ? { method: 'POST', body: JSON.stringify(body), signal } : { signal }
  const response = await fetch(address, sent).catch(() => {
    throw new ConfigError(`no double answers at ${new URL(address).host}; start it first: npm run doubles`)
  })
  const given: unknown = await response.json()
  if (!response.ok) throw new UsageError(`the double refuses it: ${messageIn(given)}`)
  process.stdout.write(`${JSON.stringify(given, undefined, 2)}\n`)
  return 0
}

function messageIn(given: unknown): string {
  return typeof given === 'object' && given !== null && 'message' in given ? String(given.message) : 'no reason given'
}

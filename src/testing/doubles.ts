import { setTimeout as sleep } from 'node:timers/promises'
import { flag, runCommand, text, UsageError, type Values, wholeNumber } from '../cli/command-line.ts'
import { ConfigError } from '../config.ts'
import { type NowPaymentsDouble, nowPaymentsDouble } from '../payments/testing/nowpayments-double.ts'

const API_KEY = 'key-of-the-double'
const IPN_SECRET = 'secret-of-the-double'
const PORT = 4100
const MINUTES = 480
const ANSWER_MS = 30_000

const options = {
  port: wholeNumber('N', `where it listens on this machine (${PORT})`, { min: 1, max: 65_535 }),
  minutes: wholeNumber('N', `how long it runs (${MINUTES})`, { min: 1, max: 10_080 }),
  do: text('WHAT', 'what happens to a payment: pay, short, over, again, or a status such as confirming, refunded'),
  payment: text('ID', 'to which one (the latest)'),
  amount: text('N', 'in coins; by default what WHAT means'),
  coin: text('CODE', 'with `again`: in which coin'),
  webhooks: wholeNumber('N', 'how many are sent of it (1)', { min: 0, max: 100 }),
  answer: text('HOW', 'the next answers to the shop: 500, 429, html, slow, lost, huge, nonsense, redirect, forbidden'),
  times: wholeNumber('N', 'how many answers (1)', { min: 1, max: 10_000 }),
  payments: flag('prints all payments'),
  calls: flag("prints the shop's calls"),
}

await runCommand({
  name: 'doubles',
  does: 'plays NOWPayments for a live shop on this machine, or tells the one that runs what happens',
  options,
  notes: `Without --do, --answer, --payments or --calls it starts, and prints the environment of a shop that asks it. No money moves.

Exit codes: 0 done, 1 it cannot be started or reached, 2 wrong usage.`,
  run,
})

async function run(values: Values<typeof options>): Promise<number> {
  const { port = PORT, do: what, payment = 'latest', amount, coin, webhooks, answer, times } = values
  const control = `http://127.0.0.1:${port}/control`
  if (what !== undefined) return told(`${control}/payments/${payment}`, { do: what, amount, coin, webhooks })
  if (answer !== undefined) return told(`${control}/answers`, { answer, times })
  if (values.payments) return told(`${control}/payments`)
  if (values.calls) return told(`${control}/calls`)
  return play(port, values.minutes ?? MINUTES)
}

async function play(port: number, minutes: number): Promise<number> {
  const double = await started(port)
  process.stdout.write(`NOWPayments is played for ${minutes} minutes. A shop that asks it, in another terminal:

  PAYMENTS=live NOWPAYMENTS_URL=${double.url} NOWPAYMENTS_API_KEY=${API_KEY} NOWPAYMENTS_IPN_SECRET=${IPN_SECRET} DATA_DIR=./data-of-the-double npm start

Then, for a payment that its buyer opened: npm run doubles -- --do pay   (more: --help)
`)
  await sleep(minutes * 60_000)
  await double.stop()
  return 0
}

async function started(port: number): Promise<NowPaymentsDouble> {
  try {
    return await nowPaymentsDouble({ apiKey: API_KEY, ipnSecret: IPN_SECRET, port })
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

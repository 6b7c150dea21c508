import { check, sleep } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'
import { Trend } from 'k6/metrics'
import type { Options } from 'k6/options'
import {
  type Answer,
  arrivals,
  ask,
  buy,
  expectAnswer,
  expectStatus,
  FIFTY_MILLION,
  promises,
  setStock,
  sizeOr,
  waitForCoins,
} from './lib/shop.ts'

/** The shop calls its provider six times a second: to open each payment, and to check it once for its webhooks. */
const BUYERS = sizeOr(1)
const FORGED = 40
/** The provider repeats its webhooks. */
const WEBHOOKS = 3
const TRIES_MAX = 30
/** Payments that `setup` opens. If there are any, the load pays BURST of them at once and opens no others. */
const OPEN = Number(__ENV['OPEN'] ?? 0)
const BURST = Math.min(50, OPEN)

const paidToDelivered = new Trend('paid_to_delivered', true)

interface Payment {
  readonly orderId: string
  readonly paymentId: string
}

/** Buyers pay at the double of a provider, which sends webhooks; forged ones are mixed in. */
export const options: Options = {
  ...promises({
    inTime: {
      paid_to_delivered: [OPEN > 0 ? 'p(95)<10000' : 'p(95)<5000'],
      'http_req_duration{name:POST /api/webhooks/nowpayments}': ['p(95)<50'],
    },
  }),
  setupTimeout: '20m',
  scenarios: {
    buyers:
      OPEN > 0
        ? { executor: 'per-vu-iterations', vus: BURST, exec: 'payOpen' }
        : arrivals(BUYERS, { exec: 'pay', gracefulStop: '2m' }),
    forgers: arrivals(FORGED, { exec: 'forge' }),
  },
}

export function setup(): Payment[] {
  setStock()
  return Array.from({ length: OPEN }, beginPayment)
}

export function pay(): void {
  payAndWait(beginPayment(), WEBHOOKS)
}

/** Each iteration pays another one, the newest first. */
export function payOpen(open: readonly Payment[]): void {
  const payment = open.at(-1 - exec.scenario.iterationInTest)
  if (payment) payAndWait(payment, 1)
}

function beginPayment(): Payment {
  const orderId = buy(FIFTY_MILLION)
  const { payment_id: paymentId } = openPayment(orderId).json() as { payment_id: string }
  return { orderId, paymentId }
}

function payAndWait({ orderId, paymentId }: Payment, webhooks: number): void {
  const paidAt = Date.now()
  const answer = http.post(
    `${__ENV['DOUBLE_URL']}/control/payments/${paymentId}`,
    `{"do":"pay","webhooks":${webhooks}}`,
  )
  // After a 503 the check goes on, so the coins come without a repeat.
  const expected = /^\{"webhooks":\[(?:(?:200|503),?)+\]\}$/
  check(answer, { 'webhooks are accepted, or must be repeated': ({ body }) => expected.test(body as string) })
  waitForCoins(orderId, { paidAt, everyS: 0.2, wait: paidToDelivered })
}

/** The shop limits calls to its provider, and says when to retry. */
function openPayment(orderId: string): Answer {
  const body = { amount: FIFTY_MILLION.totalAmount, orderId, payCurrency: 'ltc' }
  for (let tries = 1; ; tries += 1) {
    const answer = ask('POST', '/api/crypto/create-payment', { body })
    if (answer.status !== 503 || tries === TRIES_MAX) {
      expectStatus(answer, 'POST /api/crypto/create-payment', [200])
      return answer
    }
    sleep(Number(answer.headers['Retry-After'] ?? 1))
  }
}

export function forge(): void {
  const body = { payment_id: 5_000_000_001, payment_status: 'finished', actually_paid: 1_000 }
  expectAnswer(401, 'POST', '/api/webhooks/nowpayments', { body, headers: { 'x-nowpayments-sig': '0'.repeat(128) } })
}

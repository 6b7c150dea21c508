import { Counter, Trend } from 'k6/metrics'
import type { Options } from 'k6/options'
import {
  arrivals,
  ask,
  buy,
  expectAnswer,
  expectStatus,
  ONE_MILLION,
  placeOrder,
  promises,
  SECONDS,
  setStock,
  sizeOr,
  startPayment,
} from './lib/shop.ts'

const FAIR = 10
const UNFAIR = sizeOr(300)
const UNFAIR_ADDRESSES = 3
/** Unpaid orders that one address may have open. */
const OPEN_MAX = 50
const PHASE = `${Math.max(1, Math.floor(SECONDS / 2))}s`

const quiet = new Trend('fair_when_quiet', true)
const flooded = new Trend('fair_in_the_flood', true)
const unfairOrders = new Counter('unfair_orders')
const turnedAway = new Counter('turned_away')

/** Fair buyers, each from another address, first alone, then next to a few addresses that send without pause. */
export const options: Options = {
  ...promises({
    always: {
      unfair_orders: [`count<=${UNFAIR_ADDRESSES * OPEN_MAX}`],
      turned_away: ['count>0'],
    },
    // The runner compares the two.
    inTime: { fair_when_quiet: [], fair_in_the_flood: [] },
  }),
  scenarios: {
    quiet: arrivals(FAIR, { exec: 'buyWhenQuiet', duration: PHASE }),
    in_the_flood: arrivals(FAIR, { exec: 'buyInTheFlood', startTime: PHASE, duration: PHASE }),
    unfair: arrivals(UNFAIR, { exec: 'flood', startTime: PHASE, duration: PHASE }),
  },
}

export function setup(): void {
  setStock()
}

export function buyWhenQuiet(): void {
  buyFairly(quiet)
}

export function buyInTheFlood(): void {
  buyFairly(flooded)
}

/** `wait` records a buyer's time from the landing page to the payment. */
function buyFairly(wait: Trend): void {
  const headers = { 'x-forwarded-for': `10.${byte()}.${byte()}.${byte()}` }
  const beganAt = Date.now()
  expectAnswer(200, 'GET', '/api/payment-settings', { headers })
  const orderId = buy(ONE_MILLION, headers)
  startPayment(orderId, ONE_MILLION, { headers })
  expectAnswer(200, 'GET', `/api/orders/${orderId}`, { headers })
  wait.add(Date.now() - beganAt)
}

function byte(): number {
  return Math.floor(Math.random() * 256)
}

export function flood(): void {
  const headers = { 'x-forwarded-for': `192.0.2.${Math.floor(Math.random() * UNFAIR_ADDRESSES)}` }
  const answer = Math.random() < 0.7 ? placeOrder(ONE_MILLION, headers) : guessPassword(headers)
  expectStatus(answer, 'the flood', [201, 401, 429])
  if (answer.status === 201) unfairOrders.add(1)
  if (answer.status === 429) turnedAway.add(1)
}

function guessPassword(headers: { 'x-forwarded-for': string }) {
  return ask('POST', '/api/admin/login', { body: { email: 'owner@localhost', password: 'a guess' }, headers })
}

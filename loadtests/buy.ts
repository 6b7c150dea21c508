import { check, sleep } from 'k6'
import { Trend } from 'k6/metrics'
import type { Options } from 'k6/options'
import { buy, expectAnswer, ONE_MILLION, promises, SECONDS, setStock, sizeOr, startPayment } from './lib/shop.ts'

const BUYERS = sizeOr(30)
const DELIVERED_S = 60

const paidToDelivered = new Trend('paid_to_delivered', true)

/** Buyers come at a given rate, however slowly the shop answers; in a long load the runner judges the shop's memory. */
export const options: Options = {
  ...promises({
    inTime: { http_req_duration: ['p(95)<100'], paid_to_delivered: ['p(95)<5000'] },
  }),
  scenarios: {
    buyers: {
      executor: 'constant-arrival-rate',
      rate: BUYERS,
      duration: `${SECONDS}s`,
      preAllocatedVUs: 100,
      maxVUs: 400,
      gracefulStop: '2m',
    },
  },
}

export function setup(): void {
  setStock()
}

export default function buyAndFollow(): void {
  expectAnswer(200, 'GET', '/api/pricing')
  const orderId = buy(ONE_MILLION)
  startPayment(orderId, ONE_MILLION)
  const paidAt = Date.now()
  for (let second = 0; second < DELIVERED_S; second += 0.5) {
    if (expectAnswer(200, 'GET', `/api/orders/${orderId}`).json('status') === 'completed') {
      paidToDelivered.add(Date.now() - paidAt)
      return
    }
    sleep(0.5)
  }
  check(orderId, { 'who has paid gets the coins': () => false })
}

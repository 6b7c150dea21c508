import { Trend } from 'k6/metrics'
import type { Options } from 'k6/options'
import {
  arrivals,
  buy,
  expectAnswer,
  ONE_MILLION,
  promises,
  setStock,
  sizeOr,
  startPayment,
  waitForCoins,
} from './lib/shop.ts'

const BUYERS = sizeOr(30)

const paidToDelivered = new Trend('paid_to_delivered', true)

/** In a long load the runner checks the shop's memory. */
export const options: Options = {
  ...promises({
    inTime: { http_req_duration: ['p(95)<100'], paid_to_delivered: ['p(95)<5000'] },
  }),
  scenarios: { buyers: arrivals(BUYERS, { preAllocatedVUs: 100, maxVUs: 400, gracefulStop: '2m' }) },
}

export function setup(): void {
  setStock()
}

export default function buyAndFollow(): void {
  expectAnswer(200, 'GET', '/api/pricing')
  const orderId = buy(ONE_MILLION)
  startPayment(orderId, ONE_MILLION)
  waitForCoins(orderId, { paidAt: Date.now(), everyS: 0.5, wait: paidToDelivered })
}

import { check, sleep } from 'k6'
import { Counter, Trend } from 'k6/metrics'
import type { Options } from 'k6/options'
import { expectAnswer, expectStatus, ONE_MILLION, placeOrder, promises, setStock, sizeOr, stockM } from './lib/shop.ts'

const BUYERS = sizeOr(1_000)
const STOCK_M = 50
/** By then all have the page open. */
const WAIT_MS = 3_000 + BUYERS * 5

const sold = new Counter('sold')
const soldOut = new Counter('sold_out')
const winnersWait = new Trend('winners_wait', true)
const losersWait = new Trend('losers_wait', true)

/** All buyers want one of the last 50 million at the same moment. */
export const options: Options = {
  ...promises({
    always: {
      sold: [`count==${STOCK_M}`],
      sold_out: [`count==${BUYERS - STOCK_M}`],
    },
    inTime: { losers_wait: ['max<1000'], winners_wait: [] },
  }),
  scenarios: { rush: { executor: 'per-vu-iterations', vus: BUYERS, iterations: 1, maxDuration: '2m' } },
}

export function setup(): { beginsAt: number } {
  setStock(STOCK_M)
  return { beginsAt: Date.now() + WAIT_MS }
}

export default function rush({ beginsAt }: { beginsAt: number }): void {
  expectAnswer(200, 'GET', '/api/payment-settings')
  sleep(Math.max(0, beginsAt - Date.now()) / 1_000)
  const sentAt = Date.now()
  const answer = placeOrder(ONE_MILLION)
  const waitedMs = Date.now() - sentAt
  expectStatus(answer, 'POST /api/orders', [201, 409])
  if (answer.status === 201) {
    sold.add(1)
    winnersWait.add(waitedMs)
    return
  }
  check(answer.json('code'), {
    'losers get insufficient-stock': (code) => code === 'inventory/insufficient-stock',
  })
  if (answer.status === 409) soldOut.add(1)
  losersWait.add(waitedMs)
}

export function teardown(): void {
  check(stockM(), { 'nothing is left': (left) => left === 0 })
}

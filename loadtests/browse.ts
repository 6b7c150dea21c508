import type { Options } from 'k6/options'
import { arrivals, ask, buy, expectAnswer, ONE_MILLION, promises, setStock, sizeOr } from './lib/shop.ts'

/** Per second; a visit has seven requests. */
const VISITS = sizeOr(40)
const ORDERS = 20

/** Visitors look around while a few others buy, so that the stock changes on their screens. */
export const options: Options = {
  ...promises({
    inTime: {
      dropped_iterations: ['count==0'],
      http_req_duration: ['p(95)<50'],
      'http_req_duration{name:GET /}': [],
      'http_req_duration{name:GET /api/pricing}': [],
      'http_req_duration{name:GET /api/payment-settings}': [],
      'http_req_duration{name:GET /api/orders/:id}': [],
    },
  }),
  scenarios: {
    visitors: arrivals(VISITS, { exec: 'visit' }),
    buyers: arrivals(2, { exec: 'change' }),
  },
}

interface Seen {
  readonly orderIds: readonly string[]
  /** The screens are built. */
  readonly hasScreens: boolean
}

export function setup(): Seen {
  setStock()
  const hasScreens = ask('GET', '/purchase').status === 200
  return { orderIds: Array.from({ length: ORDERS }, () => buy(ONE_MILLION)), hasScreens }
}

export function visit({ orderIds, hasScreens }: Seen): void {
  const orderId = orderIds[Math.floor(Math.random() * orderIds.length)]
  expectAnswer(200, 'GET', '/')
  for (const path of ['shop', 'pricing', 'payment-settings', 'products']) expectAnswer(200, 'GET', `/api/${path}`)
  if (hasScreens) expectAnswer(200, 'GET', `/order/${orderId}`)
  expectAnswer(200, 'GET', `/api/orders/${orderId}`)
}

export function change(): void {
  buy(ONE_MILLION)
}

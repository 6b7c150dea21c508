import { sleep } from 'k6'
import { Counter } from 'k6/metrics'
import type { ConstantVUsScenario, Options } from 'k6/options'
import {
  ask,
  asOwner,
  buy,
  expectAnswer,
  expectStatus,
  ONE_MILLION,
  promises,
  SECONDS,
  setStock,
  sizeOr,
  startPayment,
} from './lib/shop.ts'

export { handleSummary } from './lib/shop.ts'

const STAFF = 3
const BUYERS = sizeOr(5)
const DAY = '2026-06-01'
const lists = [
  '',
  'status=pending',
  'status=failed',
  'paymentMethod=crypto',
  'attention=any',
  'refunded=true',
  `to=${DAY}`,
  'sort=totalAmount&direction=desc',
]
const searches = ['b-', 'crypto', 'a', '0.05', DAY]

const handedOver = new Counter('handed_over')

/** Staff look, search and hand over while others buy. */
export const options: Options = {
  ...promises({
    always: { handed_over: ['count>0'] },
    inTime: {
      'http_req_duration{name:GET /api/orders}': ['p(95)<100'],
      'http_req_duration{name:GET /api/admin/analytics}': ['p(95)<100'],
      'http_req_duration{name:GET /api/admin/to-deliver}': ['p(95)<100'],
      'http_req_duration{name:POST /api/process-order}': ['p(95)<100'],
      'http_req_duration{name:POST /api/orders}': ['p(95)<100'],
    },
  }),
  scenarios: {
    looking: staff('look', STAFF),
    handing_over: staff('handOver', 1),
    buyers: {
      executor: 'constant-arrival-rate',
      rate: BUYERS,
      duration: `${SECONDS}s`,
      preAllocatedVUs: 20,
      maxVUs: 100,
      exec: 'order',
    },
  },
}

function staff(exec: string, vus: number): ConstantVUsScenario {
  return { executor: 'constant-vus', vus, duration: `${SECONDS}s`, exec }
}

type Owner = ReturnType<typeof asOwner>

export function setup(): Owner {
  setStock()
  return asOwner()
}

export function look(headers: Owner): void {
  for (const query of lists) expectAnswer(200, 'GET', `/api/orders?limit=50&${query}`, { headers })
  for (const word of searches) expectAnswer(200, 'GET', `/api/orders?limit=50&search=${word}`, { headers })
  expectAnswer(200, 'GET', '/api/admin/analytics', { headers })
  sleep(0.5)
}

export function handOver(headers: Owner): void {
  const { orders } = expectAnswer(200, 'GET', '/api/admin/to-deliver?limit=20', { headers }).json() as {
    orders: { id: string; may: { deliver: boolean } }[]
  }
  for (const { id: orderId } of orders.filter(({ may }) => may.deliver)) {
    // 409: money was taken back since the list was read.
    const answer = ask('POST', '/api/process-order', { body: { orderId }, headers })
    expectStatus(answer, 'POST /api/process-order', [200, 409])
    if (answer.status === 200) handedOver.add(1)
  }
  sleep(0.2)
}

export function order(): void {
  startPayment(buy(ONE_MILLION), ONE_MILLION)
}

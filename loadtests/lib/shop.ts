/** Shared by the scripts. Runs in k6, not Node: it can import neither Node's modules nor packages. */
import { check, sleep } from 'k6'
import http, { type RefinedResponse } from 'k6/http'
import type { Trend } from 'k6/metrics'
import type { ConstantArrivalRateScenario, Options } from 'k6/options'

export type Answer = RefinedResponse<'text'>
type Thresholds = Record<string, string[]>

export const SHOP = shopAddress()
export const SECONDS = Number(__ENV['SECONDS'] ?? 20)
/** Priced by the settings of a new shop. */
export const ONE_MILLION = { pokecoinAmount: 1, totalAmount: '0.05' }
export const FIFTY_MILLION = { pokecoinAmount: 50, totalAmount: '2.25' }

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g
const MORE_THAN_IS_SOLD_M = 100_000_000
const DELIVERED_S = 60

/** Loopback only: a load on a shop in use would be an attack. */
function shopAddress(): string {
  const address = (__ENV['SHOP_URL'] ?? 'http://127.0.0.1:3000').replace(/\/$/, '')
  const isHere = /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(address)
  if (isHere || __ENV['ANY_HOST'] === 'on') return address
  throw new Error(`${address} is not this machine; set ANY_HOST=on to load it anyway`)
}

/** `usual` unless SIZE says otherwise. */
export function sizeOr(usual: number): number {
  return Number(__ENV['SIZE'] ?? usual)
}

/** Thresholds: `always` on any machine; `inTime` only if TIMES=on (its figures are always shown). */
export function promises({ always = {}, inTime }: { always?: Thresholds; inTime: Thresholds }): Options {
  const shown = Object.fromEntries(Object.keys(inTime).map((metric) => [metric, []]))
  return {
    thresholds: { checks: ['rate==1'], ...(__ENV['TIMES'] === 'on' ? inTime : shown), ...always },
    summaryTrendStats: ['count', 'med', 'p(95)', 'p(99)', 'max'],
  }
}

/** Calls at this rate per second, however slowly the shop answers. */
export function arrivals(rate: number, more: Partial<ConstantArrivalRateScenario> = {}): ConstantArrivalRateScenario {
  const callers = { preAllocatedVUs: 50, maxVUs: 200 }
  return { executor: 'constant-arrival-rate', rate, duration: `${SECONDS}s`, ...callers, ...more }
}

interface RequestOptions {
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

export function ask(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  { body, headers = {} }: RequestOptions = {},
): Answer {
  const name = `${method} ${path.replace(/\?.*/, '').replaceAll(UUID, ':id')}`
  const given = { tags: { name }, timeout: '30s', responseType: 'text' as const }
  if (body === undefined) return http.request(method, SHOP + path, null, { ...given, headers })
  const json = { 'content-type': 'application/json', ...headers }
  return http.request(method, SHOP + path, JSON.stringify(body), { ...given, headers: json })
}

/** Sends a request; any other status than this one fails the check. */
export function expectAnswer(status: number, ...[method, path, options]: Parameters<typeof ask>): Answer {
  const answer = ask(method, path, options)
  expectStatus(answer, `${method} ${path.replace(/\?.*/, '').replaceAll(UUID, ':id')}`, [status])
  return answer
}

export function expectStatus({ status, body }: Answer, what: string, allowed: readonly number[]): void {
  const isRight = check(status, { [`${what} answers ${allowed.join(' or ')}`]: (given) => allowed.includes(given) })
  if (!isRight) console.error(`${what} answers ${status} ${/"code":"([^"]+)"/.exec(body ?? '')?.[1] ?? body}`)
}

/** By a new buyer, who picks crypto. */
export function placeOrder(offer: typeof ONE_MILLION, headers: RequestOptions['headers'] = {}): Answer {
  const buyer = Math.random().toString(36).slice(2)
  const person = { customerEmail: `${buyer}@example.test`, discordUsername: `b-${buyer}`, marketId: '12345678' }
  const answer = ask('POST', '/api/orders', { body: { ...person, ...offer, paymentMethod: 'crypto' }, headers })
  // The runner counts these lines against the log.
  if (answer.status === 201) console.log(`acknowledged ${idIn(answer)}`)
  return answer
}

/** Returns the order's id. */
export function buy(offer: typeof ONE_MILLION, headers: RequestOptions['headers'] = {}): string {
  const placed = placeOrder(offer, headers)
  expectStatus(placed, 'POST /api/orders', [201])
  return idIn(placed)
}

/** The sandbox pays by itself. */
export function startPayment(
  orderId: string,
  { totalAmount: amount }: typeof ONE_MILLION,
  options: RequestOptions = {},
): Answer {
  const body = { amount, orderId, payCurrency: 'ltc' }
  return expectAnswer(200, 'POST', '/api/crypto/create-payment', { ...options, body })
}

/** Polls a paid order until its buyer has the coins. */
export function waitForCoins(
  orderId: string,
  { paidAt, everyS, wait }: { paidAt: number; everyS: number; wait: Trend },
) {
  for (let second = 0; second < DELIVERED_S; second += everyS) {
    if (expectAnswer(200, 'GET', `/api/orders/${orderId}`).json('status') === 'completed') {
      wait.add(Date.now() - paidAt)
      return
    }
    sleep(everyS)
  }
  check(orderId, { 'a paid order is delivered': () => false })
}

function idIn({ body }: Answer): string {
  return /"id":"([^"]+)"/.exec(body ?? '')?.[1] ?? 'none'
}

/** Headers of the owner's session. */
function asOwner(): { authorization: string } {
  const body = { email: 'owner@localhost', password: __ENV['ADMIN_PASSWORD'] ?? '' }
  const { token } = expectAnswer(200, 'POST', '/api/admin/login', { body }).json() as { token: string }
  return { authorization: `Bearer ${token}` }
}

/** Also sets the price of a new shop. */
export function setStock(stockM: number = MORE_THAN_IS_SOLD_M): void {
  const { payments } = expectAnswer(200, 'GET', '/api/shop').json() as { payments: string }
  if (payments === 'live') throw new Error(`${SHOP} takes real money: nothing is done`)
  const headers = asOwner()
  const prices = { basePricePerMillion: 0.05, bulkDiscountPercent: 0, cryptoEnabled: true }
  for (const body of [prices, { currentStock: stockM }])
    expectAnswer(200, 'PATCH', '/api/payment-settings', { body, headers })
}

export function stockM(): number {
  return (expectAnswer(200, 'GET', '/api/payment-settings').json() as { currentStock: number }).currentStock
}

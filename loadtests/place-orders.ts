import type { ConstantArrivalRateScenario, Options } from 'k6/options'
import { buy, ONE_MILLION, promises, SECONDS, setStock, sizeOr } from './lib/shop.ts'

export { handleSummary } from './lib/shop.ts'

/** Orders a second: from an easy day to more than the machine can take. */
const STEPS = [1, 2, 4, 8, 16].map((factor) => factor * sizeOr(100))
/** A shop takes 20,000 open orders. */
const ORDERS_MAX = 18_000
const STEP_SECONDS_MAX = ORDERS_MAX / STEPS.reduce((sum, rate) => sum + rate)
/** k6 takes no shorter ones. */
const STEP_SECONDS = Math.max(1, Math.min(SECONDS / STEPS.length, STEP_SECONDS_MAX))
const [EASY = 0] = STEPS

/** Buyers come at a given rate, however slowly the shop answers; `dropped_iterations` counts those that k6 could not start. */
export const options: Options = {
  ...promises({
    inTime: {
      ...Object.fromEntries(STEPS.map((rate) => [`http_req_duration{scenario:${nameOf(rate)}}`, []])),
      ...Object.fromEntries(STEPS.map((rate) => [`dropped_iterations{scenario:${nameOf(rate)}}`, []])),
      [`http_req_duration{scenario:${nameOf(EASY)}}`]: ['p(95)<100'],
    },
  }),
  scenarios: Object.fromEntries(STEPS.map((rate, index) => [nameOf(rate), stepAt(rate, index)])),
}

function nameOf(rate: number): string {
  return `${String(rate).padStart(5, '0')}_a_second`
}

function stepAt(rate: number, index: number): ConstantArrivalRateScenario {
  return {
    executor: 'constant-arrival-rate',
    rate,
    startTime: `${Math.round(index * STEP_SECONDS * 1_000)}ms`,
    duration: `${Math.round(STEP_SECONDS * 1_000)}ms`,
    preAllocatedVUs: 100,
    maxVUs: 400,
  }
}

export function setup(): void {
  setStock()
}

export default function placeOne(): void {
  buy(ONE_MILLION)
}

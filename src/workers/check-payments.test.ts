import { expect, it } from 'vitest'
import { testShop } from '../testing/test-shop.ts'
import type { OrderEvent } from '../domain/order/events.ts'
import {
  captureRequested,
  completed,
  expired,
  failed,
  minute,
  placed,
  received,
  requested,
  started,
} from '../domain/testing/order-samples.ts'
import type { Job } from '../engines/job-queue/job-queue.ts'
import { of, viewsAfter } from '../projector/testing/views-after.ts'
import type { Views } from '../projections/shop-views.ts'
import { checkPayments, pauseFor } from './check-payments.ts'

const POLL_MS = 10_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const START = Date.parse(minute(0))

const paying = (at = minute(0)) => [placed(), requested(1, 'crypto'), started(1, { at })]
const ended = [...paying(), expired(minute(0))]

/** The policy over orders with these events, by order id. */
async function policyOver(orders: Readonly<Record<string, readonly OrderEvent[]>>) {
  const { context } = await testShop()
  const views = await viewsAfter(...Object.entries(orders).flatMap(([orderId, events]) => of(orderId, ...events)))
  let isAway = false
  const find: Views['find'] = async (view, query, page) => {
    if (isAway && JSON.stringify(query).includes('ended')) throw new Error('played')
    return views.find(view, query, page)
  }
  const policies = checkPayments(context, { ...views, find }, { pollMs: POLL_MS })
  const jobsAt = async (afterMs: number): Promise<Job[]> => {
    const jobs: Job[] = []
    for (const policy of policies) jobs.push(...(await policy.due(START + afterMs)))
    return jobs
  }
  const dueAt = async (afterMs: number): Promise<string[]> =>
    (await jobsAt(afterMs)).map(({ data }) => String(data['orderId']))
  /** Plays a sweep that could not queue these jobs, or found none. */
  const onNotQueued = (jobs: readonly Job[]): void => {
    for (const policy of policies) policy.onNotQueued?.(jobs.filter(({ type }) => type === policy.name))
  }
  return { policies, jobsAt, dueAt, onNotQueued, fail: (fails: boolean) => (isAway = fails) }
}

/** More than a page of each kind. */
const many = (prefix: string, events: readonly OrderEvent[], count = 450) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${prefix}${String(index).padStart(5, '0')}`, events]),
  )

it('a new order is checked as often as its provider allows', async () => {
  const { dueAt } = await policyOver({ a: paying() })
  expect(await dueAt(0)).toEqual(['a'])
  expect(await dueAt(POLL_MS - 1)).toEqual([])
  expect(await dueAt(POLL_MS)).toEqual(['a'])
})

it.for([
  ['began within a quarter of an hour', 14 * MINUTE_MS, POLL_MS],
  ['began half an hour ago', 30 * MINUTE_MS, 5 * MINUTE_MS],
  ['began two hours ago', 2 * HOUR_MS, 10 * MINUTE_MS],
  ['began yesterday', 24 * HOUR_MS, HOUR_MS],
  ['began a week ago', 7 * 24 * HOUR_MS, HOUR_MS],
] as const)('the pause between checks grows with the age of a payment: it %s', ([, ageMs, pauseMs]) => {
  expect(pauseFor(ageMs, POLL_MS)).toBe(pauseMs)
  expect(pauseFor(0, 2 * MINUTE_MS)).toBe(2 * MINUTE_MS)
})

it.for<[what: string, again: OrderEvent[]]>([
  ['the newest payment, also one that failed', [requested(2, 'upi'), started(2, { at: minute(180) }), failed(2)]],
  ['an open capture, however old its payment is', [captureRequested(1, { at: minute(180) })]],
])('the pause between checks depends on %s', async ([, again]) => {
  const { dueAt } = await policyOver({ a: [...paying(), ...again] })
  await dueAt(180 * MINUTE_MS)
  expect(await dueAt(180 * MINUTE_MS + POLL_MS)).toEqual(['a'])
})

it('an order is checked each minute just after its end and once its watch is over', async () => {
  const { dueAt } = await policyOver({ a: ended })
  await dueAt(0)
  expect(await dueAt(MINUTE_MS - 1)).toEqual([])
  expect(await dueAt(MINUTE_MS)).toEqual(['a'])
  const overMs = 8 * 24 * HOUR_MS
  expect(await dueAt(overMs)).toEqual(['a'])
  expect(await dueAt(overMs + MINUTE_MS)).toEqual(['a'])
})

it('an order that could not be queued is due again at once', async () => {
  const { onNotQueued, jobsAt, dueAt } = await policyOver({ a: ended })
  onNotQueued(await jobsAt(0))
  expect(await dueAt(1_000)).toEqual(['a'])
  expect(await dueAt(2_000)).toEqual([])
})

it('the newest payments and open captures are checked first', async () => {
  const { dueAt } = await policyOver({
    a: paying(),
    b: ended,
    c: [...paying(), captureRequested(1, { at: minute(120) })],
    d: paying(minute(119)),
    e: [...paying(), received(1, 1000), completed()],
  })
  expect(await dueAt(121 * MINUTE_MS)).toEqual(['c', 'd', 'a', 'b', 'e'])
})

it('new payments have their own queue', async () => {
  const { policies } = await policyOver({ a: paying(minute(-60)), b: ended, c: paying() })
  const due = await Promise.all(policies.map(async (policy) => [policy.name, await policy.due(START)] as const))
  expect(due.map(([, jobs]) => jobs.map(({ data }) => data['orderId']))).toEqual([['c'], ['a', 'b']])
  expect(new Set(due.map(([name]) => name)).size).toBe(2)
})

it('the check of payments stays on its page when jobs could not be queued or a query failed', async () => {
  const { onNotQueued, jobsAt, dueAt, fail } = await policyOver({
    ...many('o', paying(minute(-60))),
    ...many('e', ended, 10),
  })
  const first = await jobsAt(0)
  onNotQueued(first)
  expect(await jobsAt(1_000)).toEqual(first)
  fail(true)
  await expect(jobsAt(2_000)).rejects.toThrow('played')
  onNotQueued([])
  fail(false)
  expect(await dueAt(3_000)).toContain('o00400')
})

it('every order is checked in limited pages, and a new one at once', async () => {
  const orders = { ...many('o', paying(minute(-60))), ...many('e', ended), z: paying() }
  const { dueAt } = await policyOver(orders)
  const first = await dueAt(0)
  expect(first).toContain('z')
  expect(first.length).toBeLessThanOrEqual(801)
  expect(new Set([...first, ...(await dueAt(1_000))]).size).toBe(901)
})

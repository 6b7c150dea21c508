import { describe, expect, it } from 'vitest'
import { testShop } from '../commands/testing/test-shop.ts'
import { checkPayments, pauseFor } from './check-payments.ts'
import type { PolledPayment } from '../projections/due-orders.ts'
import { playedWork } from './testing/played-work.ts'

const POLL_MS = 10_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const START = Date.parse('2026-01-01T12:00:00.000Z')

function payment(orderId: string, changes: Partial<PolledPayment> & { ageMs?: number } = {}): PolledPayment {
  const { ageMs = 0, ...rest } = changes
  return {
    orderId,
    attempt: 1,
    isAwaited: true,
    startedAt: new Date(START - ageMs).toISOString(),
    ...rest,
  }
}

async function policyOver(known: Parameters<typeof playedWork>[0]) {
  const { shop } = await testShop()
  const work = playedWork(known)
  const policy = checkPayments(shop, work, { pollMs: POLL_MS })
  const dueAt = async (afterMs: number): Promise<string[]> => (await policy.due(START + afterMs)).map(({ id }) => id)
  return { work, policy, dueAt }
}

/** Watched payments of so many orders. */
const many = (prefix: string, isAwaited: boolean) =>
  Array.from({ length: 5_000 }, (_, index) =>
    payment(`${prefix}${String(index).padStart(5, '0')}`, { isAwaited, ageMs: 2 * HOUR_MS }),
  )

const job = (orderId: string, attempt = 1): string => `check-payments:${orderId}:${attempt}`

describe('checking payments', () => {
  it('checks an awaited payment as often as its provider allows, and not in between', async () => {
    const { dueAt } = await policyOver({ open: [payment('a')], newest: [payment('a')] })
    expect(await dueAt(0)).toEqual([job('a')])
    expect(await dueAt(POLL_MS - 1)).toEqual([])
    expect(await dueAt(POLL_MS)).toEqual([job('a')])
  })

  it.for([
    ['began within a quarter of an hour', 14 * MINUTE_MS, POLL_MS],
    ['began half an hour ago', 30 * MINUTE_MS, 5 * MINUTE_MS],
    ['began two hours ago', 2 * HOUR_MS, 10 * MINUTE_MS],
    ['began yesterday', 24 * HOUR_MS, HOUR_MS],
    ['began a week ago', 7 * 24 * HOUR_MS, HOUR_MS],
  ] as const)('pauses longer the older a payment is: it %s', ([, ageMs, pauseMs]) => {
    expect(pauseFor(ageMs, POLL_MS)).toBe(pauseMs)
  })

  it('checks all payments of an order at the pace of its newest', async () => {
    const older = payment('a', { ageMs: 3 * HOUR_MS, isAwaited: false })
    const { dueAt } = await policyOver({ open: [{ ...payment('a'), attempt: 2 }, older] })
    for (const ms of [0, POLL_MS]) expect(await dueAt(ms)).toEqual([job('a', 2), job('a')])
  })

  it('checks a try that has failed every minute at first, while its order is open', async () => {
    const { dueAt } = await policyOver({ open: [payment('a', { isAwaited: false })] })
    await dueAt(0)
    expect(await dueAt(POLL_MS)).toEqual([])
    expect(await dueAt(MINUTE_MS)).toEqual([job('a')])
  })

  it('checks an order that has ended every ten minutes in its first day', async () => {
    const { dueAt } = await policyOver({ ended: [payment('a', { isAwaited: false })] })
    await dueAt(0)
    expect(await dueAt(10 * MINUTE_MS - 1)).toEqual([])
    expect(await dueAt(10 * MINUTE_MS)).toEqual([job('a')])
  })

  it('returns a payment again at once when it could not be queued', async () => {
    const { policy, dueAt } = await policyOver({ ended: [payment('a', { isAwaited: false, ageMs: 48 * HOUR_MS })] })
    policy.notQueued?.(await policy.due(START))
    expect(await dueAt(1_000)).toEqual([job('a')])
    expect(await dueAt(2_000)).toEqual([])
  })

  it('stays on its page when jobs could not be queued or a query failed', async () => {
    const { policy, dueAt, work } = await policyOver({ open: many('o', true), ended: many('e', false) })
    const first = await policy.due(START)
    policy.notQueued?.(first)
    expect(await dueAt(1_000)).toEqual(first.map(({ id }) => id))
    const watchedPayments = work.watchedPayments.bind(work)
    work.watchedPayments = async (of, page) =>
      of === 'open' ? watchedPayments(of, page) : Promise.reject(new Error('played'))
    await expect(policy.due(START + 2_000)).rejects.toThrow('played')
    policy.notQueued?.([])
    work.watchedPayments = watchedPayments
    expect(await dueAt(3_000)).toContain(job('o00400'))
  })

  it('never checks more often than the provider allows', () => {
    expect(pauseFor(0, 2 * MINUTE_MS)).toBe(2 * MINUTE_MS)
  })

  it('checks open captures first, then watches that are over, then the newest payments', async () => {
    const { dueAt, work } = await policyOver({
      open: [payment('a'), payment('d')],
      ended: [payment('e', { isAwaited: false })],
      newest: [payment('d')],
      captures: [{ orderId: 'c', attempt: 2 }],
      overdue: [{ orderId: 'b', attempt: 1 }],
    })
    expect(await dueAt(0)).toEqual([job('c', 2), job('b'), job('d'), job('a'), job('e')])
    expect(work.asked).toEqual([new Date(START).toISOString()])
  })

  it('repeats an open capture and the end of a watch, but not with every sweep', async () => {
    const { dueAt } = await policyOver({
      captures: [{ orderId: 'c', attempt: 1 }],
      overdue: [{ orderId: 'b', attempt: 1 }],
    })
    await dueAt(0)
    expect(await dueAt(1_000)).toEqual([])
    expect(await dueAt(POLL_MS)).toEqual([job('c')])
    expect(await dueAt(MINUTE_MS)).toEqual([job('c'), job('b')])
  })

  it('ends a watch that is over, though five hundred before it cannot be ended', async () => {
    const overdue = many('o', false).map(({ orderId }) => ({ orderId, attempt: 1 }))
    const { dueAt } = await policyOver({ overdue: [...overdue.slice(0, 500), { orderId: 'p', attempt: 1 }] })
    expect(await dueAt(0)).toHaveLength(500)
    expect(await dueAt(1_000)).toEqual([job('p')])
    expect(await dueAt(MINUTE_MS)).toHaveLength(500)
  })

  it('checks every payment of ten thousand orders, ended ones too, in bounded pages', async () => {
    const { dueAt } = await policyOver({ open: many('o', true), ended: many('e', false) })
    const asked = new Set<string>()
    for (let sweep = 0; sweep < 13; sweep += 1) {
      const ids = await dueAt(sweep * 1_000)
      expect(ids.length).toBeLessThanOrEqual(800)
      for (const id of ids) asked.add(id)
    }
    expect(asked.size).toBe(10_000)
  })

  it('checks a new payment at once, however many others are open', async () => {
    const open = Array.from({ length: 5_000 }, (_, index) => payment(`o${String(index).padStart(5, '0')}`))
    const { dueAt } = await policyOver({ open: [...open, payment('z')], newest: [payment('z')] })
    expect(await dueAt(0)).toContain(job('z'))
  })
})

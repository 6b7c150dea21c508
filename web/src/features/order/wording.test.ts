import { expect, it } from 'vitest'
import { orderStatus, paymentStatus } from '#contract/order.ts'
import { canPay, holdsUntil, situationOf, wording } from './wording.ts'

const all = orderStatus.options.flatMap((status) =>
  paymentStatus.options.flatMap((paymentStatus) =>
    ([null, 'completed', 'expired', 'cancelled'] as const).map((endedAs) => ({
      status,
      paymentStatus,
      endedAs,
      preOrder: false,
    })),
  ),
)

it('has a sentence for every state that an order can be in', () => {
  expect(all.filter((order) => !wording[situationOf(order)].sentence)).toEqual([])
})

it('offers to go on paying exactly while an order is pending and its payment is not under way', () => {
  const payable = all.filter(canPay)
  expect(new Set(payable.map((order) => order.status))).toEqual(new Set(['pending']))
  expect(new Set(payable.map((order) => order.paymentStatus))).toEqual(
    new Set(['pending', 'waiting', 'partially_paid', 'failed']),
  )
})

it('tells an expired order from a cancelled one', () => {
  const ended = { status: 'failed', paymentStatus: 'failed', preOrder: false } as const
  expect(situationOf({ ...ended, endedAs: 'expired' })).toBe('expired')
  expect(situationOf({ ...ended, endedAs: 'cancelled' })).toBe('cancelled')
})

it('promises no reserved coins to someone who orders ahead', () => {
  const ahead = { status: 'pending', paymentStatus: 'pending', endedAs: null, preOrder: true } as const
  expect(wording[situationOf(ahead)].sentence).toMatch(/pre-order/)
  expect(`${wording[situationOf(ahead)].sentence} ${holdsUntil(ahead)}`).not.toMatch(/reserved/i)
  expect(wording[situationOf({ ...ahead, preOrder: false })].sentence).toMatch(/reserved/)
  expect(canPay(ahead)).toBe(true)
})

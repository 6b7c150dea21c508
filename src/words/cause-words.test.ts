import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { attentionReasons, type AttentionReason } from '../domain/words.ts'
import {
  completed,
  deleted,
  deliveredAfterEnd,
  disputeClosed,
  disputed,
  expired,
  minute,
  orderAfter,
  placed,
  ready,
  received,
  reinstatementRefused,
  requested,
  reversed,
  started,
} from '../domain/testing/order-samples.ts'
import type { OrderEvent } from '../domain/order/events.ts'
import { toPayBackCents } from '../domain/order/standing.ts'
import { causeWords } from './cause-words.ts'

const pages = readFileSync(new URL('../../docs/payments.md', import.meta.url), 'utf8')
const crypto = [placed(), requested(1, 'crypto'), started(1)]
const open = orderAfter(...crypto)
const lives = {
  open,
  ended: orderAfter(...crypto, expired()),
  completed: orderAfter(...crypto, received(1, 1000), completed()),
  deleted: orderAfter(...crypto, deleted()),
}
const adviceOf = (reason: AttentionReason) => Object.values(lives).map((order) => causeWords(order, reason).advice)

it.for(attentionReasons)(
  'staff read at most two sentences about %s, which name no command, and find its paragraph',
  (reason) => {
    for (const advice of adviceOf(reason)) {
      expect(advice.split(/[.] (?=[A-Z])/).length).toBeLessThanOrEqual(2)
      expect(advice).not.toMatch(/approve|settle|delete/i)
    }
    expect(adviceOf(reason).some((advice) => advice !== '')).toBe(true)
    const { name, page } = causeWords(open, reason)
    expect(pages).toContain(`\n### ${name}\n`)
    expect(page).toBe(
      `payments.md#${name
        .toLowerCase()
        .replaceAll(/[^a-z ]/g, '')
        .replaceAll(' ', '-')}`,
    )
  },
)

const rank = (reason: AttentionReason) => attentionReasons.indexOf(reason)
const ranked = (...history: OrderEvent[]) => orderAfter(...history).attention.map(({ reason }) => reason)

it('what the payer or the provider took is dealt with before money that is held, and money that may be there before it', () => {
  const twice = [...crypto, received(1, 1000), requested(2, 'upi'), started(2), received(2, 1000)]
  expect(ranked(...twice, disputed(), reversed('receipt-1', 300))).toEqual(['reversed', 'disputed', 'over'])
  const held = ['short', 'over', 'unearned'] as const
  const first = attentionReasons.filter((reason) => !held.some((one) => one === reason))
  expect(Math.max(...first.map(rank))).toBeLessThan(Math.min(...held.map(rank)))
})

it('nothing is to be paid back while a dispute is open', () => {
  const twice = [...crypto, received(1, 1000), requested(2, 'upi'), started(2), received(2, 1000), completed()]
  expect(toPayBackCents(orderAfter(...twice))).toBe(1000)
  expect(toPayBackCents(orderAfter(...twice, disputed()))).toBe(0)
  expect(toPayBackCents(orderAfter(...twice, disputed(), disputeClosed('won')))).toBe(1000)
})

it('of an order whose coins were given, only what is beyond the total is to be paid back', () => {
  const late = [...crypto, expired(), received(1, 1000, { at: minute(70) }), reinstatementRefused()]
  expect(toPayBackCents(orderAfter(...late))).toBe(1000)
  expect(toPayBackCents(orderAfter(...late, deliveredAfterEnd()))).toBe(0)
  expect(
    toPayBackCents(orderAfter(...crypto, received(1, 1000), ready('webhook'), deleted(), deliveredAfterEnd())),
  ).toBe(0)
})

it.for<[string, AttentionReason, keyof typeof lives, RegExp]>([
  [
    'a refund that ends the order is noted before it is paid',
    'short',
    'open',
    /note.*ends the order, before it goes back/,
  ],
  [
    'an order ends before money that may be there goes back',
    'never-confirmed',
    'open',
    /End an order .* before its money goes back/,
  ],
  ['an ended order is dealt with before its money goes back', 'unearned', 'ended', /Deal with this here first/],
  [
    'an ended order is dealt with before money that may be there goes back',
    'wrong-coin',
    'ended',
    /deal with this here before/,
  ],
  ['no coins are given before it is known whether they were', 'delivery-unknown', 'open', /give none before you know/],
  [
    'the other order of a receipt is looked at first',
    'receipt-refused',
    'open',
    /before you have seen .* the other order/,
  ],
  ['a failed refund is paid again, and not noted again', 'refund-failed', 'completed', /note nothing/],
  ['money that went back before is only noted', 'over', 'completed', /has gone back before is only noted/],
  ['staff wait for money that is being confirmed', 'short', 'open', /while a payment is being confirmed/],
])('order of steps: %s', ([, reason, life, words]) => expect(causeWords(lives[life], reason).advice).toMatch(words))

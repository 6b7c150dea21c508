import fc from 'fast-check'
import { expect, it } from 'vitest'
import { orderHistories } from '../domain/testing/arbitraries.ts'
import {
  approved,
  cancelled,
  completed,
  deleted,
  expired,
  failed,
  minute,
  orderAfter,
  placed,
  ready,
  received,
  refundFailed,
  refundRequested,
  refunded,
  requested,
  seen,
  started,
} from '../domain/testing/order-samples.ts'
import type { OrderEvent } from '../domain/order/events.ts'
import { soldWords } from '../domain/settings/shop-texts.ts'
import { historyOf } from '../shop/hot/order-histories.ts'
import { type MailKind, mailContent, mailOf } from './buyer-mails.ts'
import * as facts from './testing/facts.ts'
import * as moneyFacts from './testing/money-facts.ts'

const crypto = [placed(), requested(1, 'crypto'), started(1)]
const short = [...crypto, received(1, 400)]
const rest = received(1, 600, { receiptId: 'receipt-2' })
const paid = [...crypto, received(1, 1000)]
const words = soldWords({ game: null, coin: null })

/** The mail of each event, as the order is after all of them. */
function mailsOf(events: readonly OrderEvent[]): MailKind[] {
  const metadata = { actor: 'system' } as const
  const history = historyOf(events.map((event, revision) => ({ ...event, revision, position: '', metadata })))
  return events.flatMap((_, revision) => mailOf(history, revision) ?? [])
}

it.each<[string, readonly OrderEvent[], MailKind[]]>([
  ['placed, and not paid', crypto, []],
  ['expired or cancelled without money', [...crypto, expired()], []],
  ['its money is seen', [...crypto, seen(1)], ['seen']],
  ['money that was seen did not come', [...crypto, seen(1), failed(1)], []],
  ['a part came', short, ['short']],
  ['the rest came, too', [...short, rest], ['paid']],
  ['it is paid', paid, ['paid']],
  ['it is paid by money that was seen', [...crypto, seen(1), received(1, 1000)], ['paid']],
  ['it waits for staff', [...paid, ready('staff')], ['paid']],
  ['it is delivered', [...paid, completed()], ['delivered']],
  ['it is approved without money and delivered', [...crypto, approved(), completed()], ['delivered']],
  ['it is paid back', [...paid, refunded(1000)], ['refunded']],
  ['it is delivered and partly paid back', [...paid, completed(), refunded(100)], ['delivered', 'refunded']],
  ['a refund of it is refused', [...paid, refundRequested(1000), refundFailed('refused')], ['paid', 'refund-held']],
  ['it expired with a part of its money', [...short, expired()], ['ended']],
  ['money came after its end', [...crypto, expired(), received(1, 400, { at: minute(70) })], ['ended']],
  ['it was cancelled while money was seen', [...crypto, seen(1), cancelled()], ['ended']],
  ['staff deleted it, and it was paid', [...paid, deleted()], ['ended']],
  ['staff deleted it after the delivery', [...paid, completed(), deleted()], ['delivered']],
])('%s', (_what, events, mails) => {
  expect(mailsOf(events)).toEqual(mails)
})

const truths: Readonly<Record<MailKind, (known: facts.OrderFacts) => boolean>> = {
  seen: (known) => facts.isMoneySeen(known),
  paid: (known) => moneyFacts.isCovered(known),
  short: (known) => !moneyFacts.isCovered(known) && moneyFacts.paidCents(known) > 0,
  delivered: (known) => known.status === 'completed',
  refunded: () => true,
  'refund-held': (known) =>
    moneyFacts.missingRefunds(known).size > 0 || known.wishes.values().some((state) => state !== 'open'),
  ended: (known) => !facts.isLiving(known),
}

it('what a mail says is true when it is sent, and nothing is mailed before money or an approval', () => {
  const kinds = new Set<MailKind>()
  fc.assert(
    fc.property(orderHistories, ({ steps }) => {
      const events = steps.flatMap((step) => step.events)
      const known = facts.factsOf(events)
      for (const kind of mailsOf(events)) {
        kinds.add(kind)
        expect({ kind, isTrue: known !== undefined && truths[kind](known) }).toEqual({ kind, isTrue: true })
        const cause = events.some(({ type }) => /^(PaymentSeen|PaymentReceived|OrderApproved)$/.test(type))
        expect(cause).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
  expect([...kinds].toSorted()).toEqual(Object.keys(truths).toSorted())
})

it('a mail about a missing part names what arrived and what is missing', () => {
  const content = mailContent('short', {
    order: orderAfter(...short),
    words,
  })
  expect(content.paragraphs[0]).toBe('$4.00 of $10.00 arrived. Please pay the rest of $6.00 on the page of your order.')
  expect(content.button).toBe('Pay the rest')
})

it('the mail about a delivery is the receipt, with what was paid and by whom it was sold', () => {
  const order = orderAfter(...paid, completed())
  const seller = { name: 'Coins Ltd', address: '1 Market Street', taxNumber: '', line: 'Thank you' }
  const { facts: shown } = mailContent('delivered', { order, words, seller })
  expect(shown.slice(-3)).toEqual([
    ['Paid', '$10.00 by crypto'],
    ['Delivered', minute(30).slice(0, 10)],
    ['Sold by', 'Coins Ltd, 1 Market Street, Thank you'],
  ])
})

it('the mail about a refund says when the money arrives', () => {
  const order = orderAfter(...paid, refunded(1000))
  expect(mailContent('refunded', { order, refund: refunded(1000).data, words }).paragraphs).toEqual([
    'The shop has paid back $10.00. It arrives in crypto within 1-24 hours.',
  ])
})

it('the mail about a refund that the shop sent names what the payer gets, and by which way', () => {
  const money = {
    amount: '865.00',
    addedAmount: '865.00',
    askedAmount: '865.00',
    currency: 'INR',
    provider: 'cashfree',
  }
  const byUpi = [
    placed(),
    requested(1, 'upi', { askedMinor: 86_500, currency: 'INR' }),
    started(1),
    received(1, 1000, money),
  ]
  const sent = { providerRefundId: 'sent-1', amount: '865.00', isPending: true }
  const refund = refunded(1000, { sent })
  const order = orderAfter(...byUpi, refund)
  const { subject, paragraphs } = mailContent('refunded', { order, refund: refund.data, words })
  expect(subject).toMatch(/^Your money is on its way back/)
  expect(paragraphs).toEqual([
    'The shop is paying back ₹865.00. It arrives by UPI or to the bank in 3-7 business days.',
  ])
})

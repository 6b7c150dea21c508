import { expect, it } from 'vitest'
import { paidCents } from '../domain/order/order-money.ts'
import { openRefund } from '../domain/order/order-state.ts'
import { Refusal } from '../domain/refusal.ts'
import { PaymentRejected, ProviderAway } from '../payments/payment-provider.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { receiptOf, recordReport, reportOf, testShop, throws, type TestShop, withRefund } from '../testing/test-shop.ts'
import { checkPaymentsOf } from './check-payment.ts'
import { recordRefund } from './record-refund.ts'
import { finishRefund, REFUND_CALLS_MINUTES, sendRefund } from './send-refund.ts'

/** An order that was paid twice by one payment: 10.00 are too much. */
async function paidTwice() {
  const test = await testShop({ env: { DELIVERY: 'instant' } })
  const { orderId, paymentId } = await test.started('upi')
  const report = reportOf('received', [receiptOf('money-1'), receiptOf('money-2')])
  const provider = test.providers.upi
  provider.reports.set(paymentId, report)
  await recordReport(test.context, test.caller(), { orderId, attempt: 1, report })
  return { test, orderId, paymentId, provider }
}

async function requestOf(test: TestShop, orderId: string, key: string, amount = '10.00') {
  const refund = { receiptId: 'money-2', amount, reason: 'paid-twice', coinsGiven: null } as const
  const revision = (await test.order(orderId)).next - 1
  return { orderId, adminId: 'owner', idempotencyKey: key, revision, refund }
}

const send = async (test: TestShop, orderId: string, key = 'key-1', amount?: string) =>
  test.ask(sendRefund, await requestOf(test, orderId, key, amount))
const finish = async (test: TestShop, orderId: string, context: CommandContext = test.context) =>
  finishRefund(context, test.caller(), { orderId })
const sentBy = ({ calls }: { calls: readonly string[] }) => calls.filter((call) => call === 'refund').length
const refundsOf = async (test: TestShop, orderId: string) =>
  (await test.typesOf(orderId)).filter((type) => type.startsWith('Refund') || type === 'PaymentReversed')

it('a refund is recorded before its call, after the payment was read, and once the provider has it', async () => {
  const { test, orderId, provider } = await paidTwice()
  provider.before.refund = async () => {
    expect((await test.typesOf(orderId)).at(-1)).toBe('RefundRequested')
    expect(provider.calls.at(-2)).toBe('check')
  }
  await send(test, orderId)
  expect(await refundsOf(test, orderId)).toEqual(['RefundRequested', 'RefundRecorded', 'RefundReported'])
  const order = await test.order(orderId)
  expect({ held: paidCents(order), asks: order.attention }).toEqual({ held: order.placed.totalCents, asks: [] })
  expect(order.refunds[0]?.sent).toEqual({ providerRefundId: 'sent-3', amount: '10.00', isPending: false })
})

it('the same request again sends nothing, and another one under its key is refused', async () => {
  const { test, orderId, provider } = await paidTwice()
  const request = await requestOf(test, orderId, 'key-1')
  await test.ask(sendRefund, request)
  await test.ask(sendRefund, request)
  expect(sentBy(provider)).toBe(1)
  await expect(send(test, orderId, 'key-1', '5.00')).rejects.toMatchObject({ code: 'order/changed' })
})

it('of two owners who press at once, one sends, and the other looks again', async () => {
  const { test, orderId, provider } = await paidTwice()
  const [one, other] = [await requestOf(test, orderId, 'key-1'), await requestOf(test, orderId, 'key-2')]
  const outcomes = await Promise.allSettled([test.ask(sendRefund, one), test.ask(sendRefund, other)])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(sentBy(provider)).toBe(1)
  expect((await refundsOf(test, orderId)).filter((type) => type === 'RefundRecorded')).toHaveLength(1)
})

it('a refund whose answer was lost is found at the provider, and not sent again', async () => {
  const { test, orderId, paymentId, provider } = await paidTwice()
  const sends = provider.refund?.bind(provider)
  provider.refund = async (payment, wish) => {
    await sends?.(payment, wish)
    provider.before.check = throws(new ProviderAway('played'))
    throw new ProviderAway('played')
  }
  await send(test, orderId)
  expect(openRefund(await test.order(orderId))).toBeDefined()
  provider.before = {}
  await finish(test, orderId)
  expect(sentBy(provider)).toBe(1)
  expect(await refundsOf(test, orderId)).toEqual(['RefundRequested', 'RefundRecorded', 'RefundReported'])
  expect(provider.reports.get(paymentId)?.receipts[1]?.reversedAmount).toBe('10.00')
})

it('what the provider does not answer in time is unknown, and the refund that appears later is this one', async () => {
  const { test, orderId, paymentId, provider } = await paidTwice()
  provider.before.refund = throws(new ProviderAway('played'))
  await send(test, orderId)
  const refundId = openRefund(await test.order(orderId))?.refundId ?? ''
  test.pass(REFUND_CALLS_MINUTES + 0.1)
  await finish(test, orderId)
  expect(openRefund(await test.order(orderId))).toBeDefined()
  test.pass(1)
  await finish(test, orderId)
  expect(sentBy(provider)).toBe(1)
  expect(await test.reasons(orderId)).toEqual(['refund-unknown', 'over'])
  const late = { refundId, providerRefundId: 'sent-late', amount: '10.00', status: 'done' } as const
  const report = withRefund(provider.reports.get(paymentId) ?? reportOf('waiting'), 'money-2', late)
  await recordReport(test.context, test.caller(), { orderId, attempt: 1, report })
  expect(await test.reasons(orderId)).toEqual([])
  expect((await refundsOf(test, orderId)).slice(-2)).toEqual(['RefundRecorded', 'RefundReported'])
})

it('a refund that the provider refuses asks a person, with its reason, and can be asked for again', async () => {
  const { test, orderId, provider } = await paidTwice()
  provider.before.refund = throws(new PaymentRejected('REFUND_FAILED_INSUFFICIENT_FUNDS'))
  await send(test, orderId)
  expect(await test.reasons(orderId)).toEqual(['refund-refused', 'over'])
  expect((await test.eventsOf(orderId)).at(-1)?.data).toMatchObject({
    why: 'refused',
    words: 'REFUND_FAILED_INSUFFICIENT_FUNDS',
  })
  provider.before = {}
  await send(test, orderId, 'key-2')
  expect(await test.reasons(orderId)).toEqual([])
})

it('a refund that was made by hand meanwhile is recorded first, and nothing is sent', async () => {
  const { test, orderId, paymentId, provider } = await paidTwice()
  const byHand = { refundId: '', providerRefundId: 'by-hand', amount: '4.00', status: 'done' } as const
  provider.reports.set(paymentId, withRefund(provider.reports.get(paymentId) ?? reportOf('waiting'), 'money-2', byHand))
  await send(test, orderId)
  expect(await refundsOf(test, orderId)).toEqual([
    'RefundRequested',
    'RefundReported',
    'PaymentReversed',
    'RefundFailed',
  ])
  expect((await test.eventsOf(orderId)).at(-1)?.data).toMatchObject({ why: 'changed' })
  expect(sentBy(provider)).toBe(0)
})

it('a refund by hand overtakes a wish whose amount would still fit: only a person knows whether both were meant', async () => {
  const { test, orderId, paymentId, provider } = await paidTwice()
  const byHand = { refundId: '', providerRefundId: 'by-hand', amount: '4.00', status: 'done' } as const
  provider.reports.set(paymentId, withRefund(provider.reports.get(paymentId) ?? reportOf('waiting'), 'money-2', byHand))
  await send(test, orderId, 'key-1', '4.00')
  expect((await test.eventsOf(orderId)).at(-1)?.data).toMatchObject({ why: 'changed' })
  expect(sentBy(provider)).toBe(0)
})

it('a dispute that opens between wish and call stops the refund', async () => {
  const { test, orderId, paymentId, provider } = await paidTwice()
  const disputes = [{ disputeId: 'PP-D-1', receiptId: 'money-2', outcome: 'open' as const }]
  provider.before.check = () =>
    void provider.reports.set(paymentId, { ...(provider.reports.get(paymentId) ?? reportOf('waiting')), disputes })
  await send(test, orderId)
  expect((await test.eventsOf(orderId)).at(-1)?.data).toMatchObject({ why: 'disputed' })
  expect(sentBy(provider)).toBe(0)
  await expect(send(test, orderId, 'key-2')).rejects.toMatchObject({ code: 'order/refund-not-sent' })
})

it('in a shop that was restored from before a refund, the same wish sends nothing', async () => {
  const { test, orderId, paymentId, provider } = await paidTwice()
  const earlier = { refundId: 'of-a-lost-event', providerRefundId: 'sent-1', amount: '10.00', status: 'done' } as const
  provider.reports.set(
    paymentId,
    withRefund(provider.reports.get(paymentId) ?? reportOf('waiting'), 'money-2', earlier),
  )
  await send(test, orderId)
  expect(sentBy(provider)).toBe(0)
  const order = await test.order(orderId)
  expect([paidCents(order), order.attention.map(({ reason }) => reason)]).toEqual([
    order.placed.totalCents,
    ['reversed', 'refund-refused'],
  ])
})

it('a refund under way is checked after the watch of its payment ended, until it fails or is done', async () => {
  const { test, orderId, paymentId, provider } = await paidTwice()
  provider.refundsEnd = 'pending'
  await send(test, orderId)
  expect((await test.order(orderId)).refundsUnderWay).toHaveLength(1)
  test.pass(9 * 24 * 60)
  await checkPaymentsOf(test.context, test.caller(), { orderId })
  expect((await test.order(orderId)).attempts[0]?.isWatched).toBe(false)
  const report = provider.reports.get(paymentId) ?? reportOf('waiting')
  const receipts = report.receipts.map(({ pendingAmount = '0', ...receipt }) => ({
    ...receipt,
    failedAmount: pendingAmount,
    refunds: (receipt.refunds ?? []).map((refund) => ({ ...refund, status: 'failed' as const })),
  }))
  provider.reports.set(paymentId, { ...report, receipts })
  await test.sweep()
  expect(await test.reasons(orderId)).toEqual(['refund-failed'])
  const calls = provider.calls.length
  expect((await test.order(orderId)).refundsUnderWay).toEqual([])
  await checkPaymentsOf(test.context, test.caller(), { orderId })
  expect(provider.calls).toHaveLength(calls)
})

it('a payment whose provider sends none is only recorded', async () => {
  const test = await testShop()
  const { orderId } = await test.started('crypto')
  await test.received(orderId, {}, 'money-2')
  await expect(send(test, orderId)).rejects.toBeInstanceOf(Refusal)
  const { revision } = await requestOf(test, orderId, 'key-1')
  const refund = { amountCents: 10, receiptId: null, reason: 'other', whereTo: null, coinsGiven: false } as const
  await test.ask(recordRefund, { orderId, adminId: 'owner', idempotencyKey: undefined, revision, refund })
  expect((await test.typesOf(orderId)).at(-1)).toBe('RefundRecorded')
})

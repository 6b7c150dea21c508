import { beforeEach, describe, expect, it } from 'vitest'
import { type KnownPayment, type PaymentProvider, PaymentRejected, ProviderAway } from './payment-provider.ts'
import { atDouble } from './testing/at-double.ts'
import { known, paymentRequest } from './testing/samples.ts'

const paypal = atDouble('paypal')
const cashfree = atDouble('cashfree')

/** A paid payment at a provider that sends refunds. */
interface Stage {
  readonly provider: () => PaymentProvider
  readonly pay: (provider: PaymentProvider) => Promise<KnownPayment>
  readonly refuse: (reason: string | undefined) => void
  readonly endAs: (end: 'done' | 'pending') => void
  readonly act: (payment: KnownPayment, what: string) => void
  /** How many refunds the provider has made. */
  readonly made: () => number
  /** The next calls that refund are answered so; `lost`: it is made. */
  readonly answer: (answer: 'lost' | '500' | 'slow') => void
}

const customer = { name: 'ash', email: 'ash@example.test', phone: '9999999999' }
const request = paymentRequest({ customer })
const stages: Readonly<Record<'paypal' | 'cashfree', Stage>> = {
  paypal: {
    provider: () => paypal.provider({}),
    async pay(provider) {
      const payment = known(request, await provider.create(request))
      paypal.double.happen(payment.paymentId, { do: 'approve' })
      await provider.capture?.(payment, 'capture-1')
      return payment
    },
    refuse: (reason) => (paypal.double.refusesRefunds = reason),
    endAs: (end) => (paypal.double.refundsEnd = end === 'done' ? 'COMPLETED' : 'PENDING'),
    act: ({ paymentId }, what) => void paypal.double.happen(paymentId, { do: what }),
    made: () => paypal.double.all().flatMap(({ captures }) => captures.flatMap(({ refunds }) => refunds)).length,
    answer: (answer) => paypal.double.fail({ answer, on: 'refund' }),
  },
  cashfree: {
    provider: () => cashfree.provider({}),
    async pay(provider) {
      const payment = known({ ...request, currency: 'INR' }, await provider.create({ ...request, currency: 'INR' }))
      cashfree.double.happen(payment.paymentId, { do: 'pay' })
      return payment
    },
    refuse: (reason) => (cashfree.double.refusesRefunds = reason),
    endAs: (end) => (cashfree.double.refundsEnd = end === 'done' ? 'SUCCESS' : 'ONHOLD'),
    act: ({ paymentId }, what) => void cashfree.double.happen(paymentId, { do: what }),
    made: () => cashfree.double.all().flatMap(({ refunds }) => refunds).length,
    answer: (answer) => cashfree.double.fail({ answer, on: 'refund' }),
  },
}

describe.for(Object.entries(stages))('refunds by %s', ([, stage]) => {
  let provider: PaymentProvider
  let payment: KnownPayment
  beforeEach(async () => {
    stage.refuse(undefined)
    stage.endAs('done')
    provider = stage.provider()
    payment = await stage.pay(provider)
  })

  const receiptOf = async () => {
    const [receipt] = (await provider.check(payment)).receipts
    if (!receipt) throw new Error('nothing was paid')
    return receipt
  }
  async function send(refundId: string, amount?: string) {
    const receipt = await receiptOf()
    const { receiptId, currency } = receipt
    return provider.refund?.(payment, { refundId, receiptId, currency, amount: amount ?? receipt.amount })
  }

  it('a whole refund is reported under its id, and the money as gone', async () => {
    const sent = await send('ab01')
    expect(sent).toMatchObject({ refundId: 'ab01', status: 'done' })
    const { amount, reversedAmount, refunds } = await receiptOf()
    expect(Number(reversedAmount)).toBe(Number(amount))
    expect(refunds).toMatchObject([{ refundId: 'ab01', providerRefundId: sent?.providerRefundId, status: 'done' }])
  })

  it('the same id sends once, also after a restart and after a lost answer', async () => {
    stage.answer('lost')
    await expect(send('ab02', '5.00')).rejects.toThrow(ProviderAway)
    expect(stage.made()).toBe(1)
    // A failure pauses other calls.
    provider = stage.provider()
    expect((await receiptOf()).refunds).toMatchObject([{ refundId: 'ab02', amount: '5.00' }])
    // A repeat is answered with this refund, or refused.
    await send('ab02', '5.00').catch((error: unknown) => expect(error).toBeInstanceOf(PaymentRejected))
    expect(stage.made()).toBe(1)
  })

  it('an error of the server sends nothing, and the same id can be sent again', async () => {
    stage.answer('500')
    await expect(send('ab03', '5.00')).rejects.toThrow(ProviderAway)
    expect(stage.made()).toBe(0)
    provider = stage.provider()
    await send('ab03', '5.00')
    expect(Number((await receiptOf()).reversedAmount)).toBe(5)
  })

  it('several parts add up, and more than is left is refused', async () => {
    await send('ab04', '5.00')
    await send('ab05', '1.25')
    expect(Number((await receiptOf()).reversedAmount)).toBe(6.25)
    await expect(send('ab06')).rejects.toThrow(PaymentRejected)
    expect(stage.made()).toBe(2)
  })

  it('a refund under way is pending until it ends or fails', async () => {
    stage.endAs('pending')
    expect(await send('ab07', '5.00')).toMatchObject({ status: 'pending' })
    expect(await receiptOf()).toMatchObject({ pendingAmount: '5.00', refunds: [{ status: 'pending' }] })
    stage.act(payment, 'refund-fails')
    expect(await receiptOf()).toMatchObject({ failedAmount: '5.00', refunds: [{ status: 'failed' }] })
    expect(Number((await receiptOf()).reversedAmount)).toBe(0)
    stage.act(payment, 'refund-ends')
    expect(Number((await receiptOf()).reversedAmount)).toBe(5)
  })

  it('a refusal says why, and nothing of the buyer', async () => {
    stage.refuse('REFUND_FAILED_INSUFFICIENT_FUNDS')
    await expect(send('ab08')).rejects.toThrow(/REFUND_FAILED_INSUFFICIENT_FUNDS/)
    expect(stage.made()).toBe(0)
  })
})

it('PayPal sends once by the invoice id, also when it has forgotten the request id', async () => {
  const stage = stages.paypal
  stage.refuse(undefined)
  stage.endAs('done')
  const provider = stage.provider()
  const payment = await stage.pay(provider)
  const [receipt] = (await provider.check(payment)).receipts
  const refund = { refundId: 'ab09', receiptId: receipt?.receiptId ?? '', amount: '5.00', currency: 'USD' }
  await provider.refund?.(payment, refund)
  paypal.double.forgetRequests()
  await expect(provider.refund?.(payment, refund)).rejects.toThrow(ProviderAway)
  expect(paypal.double.known(payment.paymentId).captures[0]?.refunds).toHaveLength(1)
})

it('PayPal refuses for good what its app may not do', async () => {
  const stage = stages.paypal
  const provider = stage.provider()
  const payment = await stage.pay(provider)
  const [receipt] = (await provider.check(payment)).receipts
  paypal.double.fail({ answer: 'forbidden', on: 'refund' })
  const refund = { refundId: 'ab10', receiptId: receipt?.receiptId ?? '', amount: '5.00', currency: 'USD' }
  await expect(provider.refund?.(payment, refund)).rejects.toThrow(PaymentRejected)
})

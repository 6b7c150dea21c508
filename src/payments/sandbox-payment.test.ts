import { describe, expect, it } from 'vitest'
import { PaymentRejected } from './payment-provider.ts'
import { idOf, paymentOf, playFor, progressOf, referenceHash, type SandboxPayment } from './sandbox-payment.ts'

const secret = new Uint8Array(32).fill(1)
const times = { delayMs: 2_000, lateMs: 90_000 }
const payment: SandboxPayment = {
  method: 'crypto',
  play: 'short',
  startedMs: 1_772_359_200_000,
  units: 29_411_765n,
  currency: 'ltc',
  referenceHash: referenceHash('REFERENCE-1'),
}

describe('what a payer does', () => {
  it.for([
    ['sandbox-fail', 'fail'],
    ['sandbox-fail-2', 'fail'],
    ['SANDBOX-Short', 'short'],
    ['sandbox-over9000', 'over'],
    ['sandbox-late again', 'late'],
    [' sandbox-slow ', 'slow'],
    ['sandbox-cancel', 'cancel'],
    ['sandbox-', 'pay'],
    ['sandbox-other', 'pay'],
    ['my-sandbox-fail', 'pay'],
    ['fail', 'pay'],
    ['', 'pay'],
  ] as const)('follows from the chat name %j', ([name, play]) => {
    expect(playFor(name)).toBe(play)
  })
})

describe("a payment's id", () => {
  it('carries all facts', () => {
    expect(paymentOf(idOf(payment, secret), 'crypto', secret)).toEqual(payment)
    const huge = { ...payment, units: 10n ** 30n }
    expect(paymentOf(idOf(huge, secret), 'crypto', secret)).toEqual(huge)
  })

  it('needs no escaping in a URL, and does not reveal the reference', () => {
    const id = idOf(payment, secret)
    expect(id).toMatch(/^[a-z0-9-]{1,120}$/)
    expect(id).not.toContain('reference')
  })

  it('is rejected under another secret or for another method', () => {
    const id = idOf(payment, secret)
    expect(() => paymentOf(id, 'crypto', new Uint8Array(32))).toThrow(PaymentRejected)
    expect(() => paymentOf(id, 'upi', secret)).toThrow('unknown payment')
  })

  it('cannot be changed in any place', () => {
    const id = idOf(payment, secret)
    for (let index = 0; index < id.length; index += 1) {
      const other = id[index] === 'a' ? 'b' : 'a'
      expect(() => paymentOf(id.slice(0, index) + other + id.slice(index + 1), 'crypto', secret)).toThrow(
        PaymentRejected,
      )
    }
  })
})

describe('how a payment goes on', () => {
  it('shows coins on their way before they are confirmed', () => {
    const paying = { ...payment, play: 'pay' } as const
    const words = [0, 999, 1_000, 1_999, 2_000].map((elapsedMs) => progressOf(paying, elapsedMs, times).status)
    expect(words).toEqual(['waiting', 'waiting', 'confirming', 'confirming', 'received'])
  })

  it('brings the missing half of coins a minute later, under the same payment', () => {
    expect(progressOf(payment, 61_999, times)).toMatchObject({ status: 'partially_paid', arrivedUnits: 14_705_883n })
    expect(progressOf(payment, 62_000, times)).toMatchObject({ status: 'received', arrivedUnits: 29_411_765n })
  })

  it('never brings the missing half of a transfer', () => {
    const byUpi = { ...payment, method: 'upi' } as const
    expect(progressOf(byUpi, 10 * times.lateMs, times).status).toBe('partially_paid')
  })

  it('expires first when the money is late', () => {
    const late = { ...payment, play: 'late' } as const
    const words = [1_999, 2_000, 89_999, 90_000].map((elapsedMs) => progressOf(late, elapsedMs, times).status)
    expect(words).toEqual(['waiting', 'expired', 'expired', 'received'])
  })

  it('waits until the delay is over, whatever will come', () => {
    for (const play of ['fail', 'cancel', 'over', 'short', 'late', 'slow'] as const)
      expect(progressOf({ ...payment, play }, 1_999, times)).toEqual({
        status: 'waiting',
        seenUnits: 0n,
        arrivedUnits: 0n,
      })
  })
})

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

it('what a payer does follows from the chat name', () => {
  const names = {
    fail: ['sandbox-fail', 'sandbox-fail-2'],
    short: ['SANDBOX-Short'],
    over: ['sandbox-over9000'],
    late: ['sandbox-late again'],
    slow: [' sandbox-slow '],
    cancel: ['sandbox-cancel'],
    pay: ['sandbox-', 'sandbox-other', 'my-sandbox-fail', 'fail', ''],
  }
  for (const [play, called] of Object.entries(names)) for (const name of called) expect(playFor(name), name).toBe(play)
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
})

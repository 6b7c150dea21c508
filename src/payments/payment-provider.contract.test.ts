import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GatewayName, type PaymentMethod, paymentMethods } from '../domain/payment-methods.ts'
import { chargeBy } from '../domain/pricing.ts'
import { isPositiveDecimal } from '../domain/decimal.ts'
import { floorOf, shareOf, sumOf } from '../domain/fraction.ts'
import {
  type KnownPayment,
  type PaymentProvider,
  PaymentRejected,
  ProviderAway,
  ReferenceUsed,
  type PaymentReport,
  type PaymentRequest,
} from './payment-provider.ts'
import type { CallOptions } from './provider-calls.ts'
import { sandboxProviders } from './sandbox/sandbox.ts'
import { type BadAnswer, badAnswers, type Step, timeoutFor } from './testing/double.ts'
import { doubles } from './testing/doubles.ts'
import { gatewayOf, known, paymentRequest, START } from './testing/samples.ts'

/** A provider with a scripted payer. */
interface Stage {
  readonly provider: PaymentProvider
  /** The same provider after a restart. */
  restarted(): PaymentProvider
  /** With wrong keys, if it has any. */
  withWrongKeys?(): PaymentProvider
  /** With this answer to the next check. */
  answered?(answer: BadAnswer): PaymentProvider
  /** With an unknown status of this payment. Logged words are added to `said`. */
  withUnknownStatus?(payment: KnownPayment, said: string[]): PaymentProvider
  wait(ms: number): void
  request(reference: string, payer: Payer): PaymentRequest
}

type Payer = 'pays' | 'fails' | 'short' | 'over' | 'late' | 'slow' | 'cancels'

const DELAY_MS = 2_000
const LATE_MS = 50_000
const SLOW_MS = 30_000

const chatNames: Readonly<Record<Payer, string>> = {
  pays: 'ash#1996',
  fails: 'sandbox-fail-2',
  short: 'sandbox-short',
  over: 'Sandbox-Over',
  late: ' sandbox-late',
  slow: 'sandbox-slow',
  cancels: 'sandbox-cancel',
}

function requestOf(
  method: PaymentMethod,
  { reference, name, time, phone }: { reference: string; name: string; time: number; phone: string | undefined },
): PaymentRequest {
  return paymentRequest({
    reference,
    ...chargeBy(method, 2_500, 8_650),
    payCurrency: method === 'crypto' ? 'ltc' : undefined,
    customer: { name, email: 'ash@example.test', phone },
    requestedAt: new Date(time).toISOString(),
  })
}

function sandboxStage(method: PaymentMethod): Stage {
  let time = START
  const opened = (): PaymentProvider =>
    sandboxProviders({
      delayMs: DELAY_MS,
      lateMs: LATE_MS,
      now: () => time,
      inrPerUsd: 86.5,
    })[method]
  return {
    provider: opened(),
    restarted: opened,
    wait(ms) {
      time += ms
    },
    request: (reference, payer) => requestOf(method, { reference, name: chatNames[payer], time, phone: '9999999999' }),
  }
}

const after = (afterMs: number, what: string, act: Partial<Step> = {}): Step => ({ ...act, afterMs, do: what })
const soon = (what: string): Step[] => [after(DELAY_MS, what)]
const slowly = (seen: string): Step[] => [...soon(seen), after(DELAY_MS + SLOW_MS, 'pay')]
const late = (ended: string): Step[] => [...soon(ended), after(LATE_MS, 'pay')]
const paying = { pays: soon('pay'), short: soon('short'), over: soon('over') }
const approving = (act?: Partial<Step>): Step[] => [after(0, 'approve', act)]

const scripts: Readonly<Record<GatewayName, Readonly<Record<Payer, readonly Step[]>>>> = {
  nowpayments: {
    ...paying,
    fails: soon('failed'),
    late: late('expired'),
    slow: slowly('confirming'),
    cancels: soon('cancelled'),
  },
  upigateway: {
    ...paying,
    fails: soon('fail'),
    late: [after(LATE_MS, 'pay')],
    slow: slowly('scan'),
    cancels: soon('fail'),
  },
  cashfree: {
    ...paying,
    fails: soon('fail'),
    late: late('EXPIRED'),
    slow: slowly('pend'),
    cancels: soon('TERMINATED'),
  },
  paypal: {
    pays: approving(),
    fails: approving({ capture: 'INSTRUMENT_DECLINED' }),
    short: approving({ amount: '12.70' }),
    over: approving({ amount: '27.94' }),
    late: [after(LATE_MS, 'approve')],
    slow: [...approving({ capture: 'PENDING' }), after(DELAY_MS + SLOW_MS, 'complete')],
    cancels: [after(0, 'cancel')],
  },
}

/** Stages that share one double of a gateway. */
function stagesAt(name: GatewayName, method: PaymentMethod): () => Stage {
  let time = START
  let stagesOpened = 0
  const now = () => time
  const double = new doubles[name]({ now })
  beforeAll(async () => {
    await double.listen()
  })
  afterAll(async () => double.stop())
  const opened = (env: Readonly<Record<string, string>> = double.env, calls: Partial<CallOptions> = {}) =>
    gatewayOf(name, env, { now, ...calls })
  const wrongEnv = () =>
    Object.fromEntries(Object.entries(double.env).map(([key, text]) => [key, key.endsWith('_URL') ? text : 'another']))
  return () => {
    stagesOpened += 1
    const stageNumber = stagesOpened
    return {
      provider: opened(),
      restarted: () => opened(),
      withWrongKeys: () => opened(wrongEnv()),
      answered(answer) {
        double.fail({ answer, on: 'check' })
        return opened(double.env, { timeoutMs: timeoutFor(answer) })
      },
      withUnknownStatus({ paymentId }, said) {
        double.known(paymentId).status = 'LEVITATING'
        return opened(double.env, { onUnknownStatus: (word) => void said.push(word) })
      },
      wait(ms) {
        time += ms
      },
      request(place, payer) {
        const reference = `${place}-${stageNumber}`
        double.script(reference, scripts[name][payer])
        return requestOf(method, { reference, name: 'ash', time, phone: method === 'upi' ? '9999999999' : undefined })
      },
    }
  }
}

interface StageRow {
  readonly method: PaymentMethod
  readonly isIdempotent: boolean
  /** A repeated opening is rejected. */
  readonly refusesUsed?: boolean
  /** Reports cancelled as failed, and money only once it has arrived. */
  readonly isTerse?: boolean
}

const gatewayRows: Readonly<Record<GatewayName, StageRow>> = {
  nowpayments: { method: 'crypto', isIdempotent: false },
  cashfree: { method: 'upi', isIdempotent: true },
  paypal: { method: 'paypal', isIdempotent: true },
  upigateway: { method: 'upi', isIdempotent: false, refusesUsed: true, isTerse: true },
}
const sandboxRow = (method: PaymentMethod): StageRow => ({ method, isIdempotent: true })
const stages = [
  ...paymentMethods.map((method) => ({
    name: `sandbox-${method}`,
    ...sandboxRow(method),
    hasKeys: false,
    open: () => sandboxStage(method),
  })),
  ...(Object.keys(gatewayRows) as GatewayName[]).map((name) => ({
    name,
    ...gatewayRows[name],
    hasKeys: true,
    open: stagesAt(name, gatewayRows[name].method),
  })),
]

describe.for(stages)(
  'payment provider contract: $name',
  ({ name, open, isIdempotent, hasKeys, refusesUsed = false, isTerse = false }) => {
    let stage: Stage
    beforeEach(() => {
      stage = open()
    })

    async function begun(payer: Payer, reference = 'REFERENCE-1'): Promise<KnownPayment> {
      const request = stage.request(reference, payer)
      return known(request, await stage.provider.create(request))
    }

    it.runIf(hasKeys)('a provider says whether its keys are accepted, and why not', async () => {
      const wrong = stage.withWrongKeys?.()
      const refused = { areAccepted: false, reason: expect.stringMatching(/^.{5,200}$/) as string }
      // Also when repeated at once.
      for (let turn = 0; turn < 3; turn += 1) {
        expect(await stage.provider.checkKeys?.()).toMatchObject({ areAccepted: true, reason: null })
        expect(await wrong?.checkKeys?.()).toEqual(refused)
      }
    })

    it.for(hasKeys ? badAnswers : [])(
      'a check that gets %s fails, pauses the provider and accepts the next good answer',
      async (answer) => {
        const payment = await begun('late')
        const asked = stage.answered?.(answer) ?? stage.provider
        await expect(asked.check(payment)).rejects.toThrow(ProviderAway)
        // `forbidden` may concern only one payment, so it does not pause.
        if (answer !== 'forbidden') await expect(asked.check(payment)).rejects.toThrow('pause')
        // An opening is tried during a pause, and its answer ends the pause.
        await asked.create(stage.request('REFERENCE-2', 'pays'))
        expect((await asked.check(payment)).status).toBe('waiting')
      },
    )

    it.runIf(isIdempotent)('a repeated request returns the same payment', async () => {
      const request = stage.request('REFERENCE-1', 'pays')
      const first = await stage.provider.create(request)
      stage.wait(500)
      expect(await stage.restarted().create(request)).toEqual(first)
    })

    it.runIf(refusesUsed)('a used reference is rejected and its payment stays known', async () => {
      const request = stage.request('REFERENCE-1', 'pays')
      const payment = known(request, await stage.provider.create(request))
      await expect(stage.restarted().create(request)).rejects.toThrow(ReferenceUsed)
      stage.wait(DELAY_MS)
      expect(paidPermille(await stage.provider.check(payment))).toBe(1000)
    })

    it.runIf(!isIdempotent && !refusesUsed)('money of a payment whose opening was repeated counts', async () => {
      const request = stage.request('REFERENCE-1', 'pays')
      const [lost, shown] = [await stage.provider.create(request), await stage.provider.create(request)]
      expect(lost.paymentId).not.toBe(shown.paymentId)
      expect((await stage.provider.find?.(lost.paymentId))?.reference).toBe(request.reference)
      stage.wait(DELAY_MS)
      const report = await stage.provider.check({ ...known(request, shown), otherIds: [lost.paymentId] })
      expect(report.receipts.map(({ receiptId }) => receiptId).toSorted()).toEqual([lost.paymentId, shown.paymentId])
      expect(paidPermille(report)).toBe(2000)
    })

    it('each reference has its own payment', async () => {
      const first = await begun('pays', 'REFERENCE-1')
      const second = await begun('pays', 'REFERENCE-2')
      expect(second.paymentId).not.toBe(first.paymentId)
      stage.wait(DELAY_MS)
      const receipts = [await collected(stage.provider, first), await collected(stage.provider, second)]
      expect(new Set(receipts.flatMap((report) => report.receipts.map(({ receiptId }) => receiptId))).size).toBe(2)
    })

    it('a provider has its name and requests amounts in plain decimals', async () => {
      expect(stage.provider.name).toBe(name)
      const payment = await begun('pays')
      expect(isPositiveDecimal(payment.payAmount)).toBe(true)
      expect(payment.payCurrency).not.toBe('')
    })

    it('amounts at the limits are accepted', async () => {
      const { minMinor, maxMinor } = await stage.provider.limits()
      for (const askedMinor of [minMinor, maxMinor])
        expect(
          await stage.provider.create({ ...stage.request(`REFERENCE-${askedMinor}`, 'pays'), askedMinor }),
        ).toHaveProperty('paymentId')
    })

    it('a payment that has just begun has no money', async () => {
      const report = await stage.provider.check(await begun('pays'))
      expect(report.receipts).toEqual([])
      expect(['waiting', 'approved']).toContain(report.status)
    })

    it('a paid payment reports the whole amount', async () => {
      const payment = await begun('pays')
      stage.wait(DELAY_MS)
      const report = await collected(stage.provider, payment)
      expect(report.status).toBe('received')
      expect(report.receipts).toHaveLength(1)
      expect(paidPermille(report)).toBe(1000)
      expect(report.receipts[0]).toMatchObject({
        amount: payment.payAmount,
        askedAmount: payment.payAmount,
        currency: payment.payCurrency,
      })
      expect(report.amountPaid).toBe(payment.payAmount)
      expect(Number(report.receipts[0]?.reversedAmount)).toBe(0)
    })

    it('a receipt is the same in each check, also after a restart', async () => {
      const payment = await begun('pays')
      stage.wait(DELAY_MS)
      const first = await collected(stage.provider, payment)
      expect(await collected(stage.restarted(), payment)).toEqual(first)
      stage.wait(7 * 24 * 3_600_000)
      expect(await collected(stage.provider, payment)).toEqual(first)
    })

    it('a failed or cancelled payment has no money', async () => {
      const [failed, cancelled] = [await begun('fails'), await begun('cancels', 'REFERENCE-2')]
      stage.wait(DELAY_MS)
      const report = await settledReport(stage, failed)
      expect(['failed', 'declined']).toContain(report.status)
      expect(report).toMatchObject({ amountPaid: null, receipts: [] })
      const status = isTerse ? 'failed' : 'cancelled'
      expect(await settledReport(stage, cancelled)).toEqual({ status, amountPaid: null, receipts: [] })
    })

    it('too little and too much money is reported as it arrived', async () => {
      const [short, over] = [await begun('short'), await begun('over', 'REFERENCE-2')]
      stage.wait(DELAY_MS)
      const reports = [await collected(stage.provider, short), await collected(stage.provider, over)]
      expect(reports.map(({ status }) => status)).toEqual(['partially_paid', 'received'])
      expect(reports.map(paidPermille)).toEqual([500, 1100])
    })

    it('money on its way has no receipt before it is confirmed', async () => {
      const payment = await begun('slow')
      stage.wait(DELAY_MS)
      const status = isTerse ? 'waiting' : 'confirming'
      expect(await collected(stage.provider, payment)).toMatchObject({ status, receipts: [] })
      stage.wait(SLOW_MS - 1)
      expect(await collected(stage.provider, payment)).toMatchObject({ status, receipts: [] })
      stage.wait(1)
      const report = await collected(stage.provider, payment)
      expect(report.status).toBe('received')
      expect(paidPermille(report)).toBe(1000)
    })

    it('late money is reported', async () => {
      const payment = await begun('late')
      stage.wait(LATE_MS - 1)
      const before = await collected(stage.provider, payment)
      expect(['waiting', 'expired']).toContain(before.status)
      expect(before.receipts).toEqual([])
      stage.wait(1)
      const report = await collected(stage.provider, payment)
      expect(report.status).toBe('received')
      expect(paidPermille(report)).toBe(1000)
    })

    it.runIf(hasKeys)('an unknown status is reported as unclear and logged', async () => {
      const payment = await begun('late')
      const said: string[] = []
      const report = await stage.withUnknownStatus?.(payment, said).check(payment)
      expect(report).toEqual({ status: 'unknown', amountPaid: null, receipts: [], isUnclear: true })
      expect(said).toEqual(['LEVITATING'])
    })

    it('a payment that the provider did not open is rejected', async () => {
      const payment = await begun('pays')
      const { paymentId } = payment
      const forged = [
        '',
        'nonsense',
        'é'.repeat(paymentId.length),
        `${paymentId.slice(0, -1)}é`,
        'x'.repeat(10_000),
        paymentId.slice(0, -1),
        `${paymentId}0`,
        paymentId.slice(0, -1) + (paymentId.endsWith('0') ? '1' : '0'),
      ]
      for (const id of forged.filter((other) => other !== paymentId)) {
        const unknown = { ...payment, paymentId: id }
        await expect(stage.provider.check(unknown)).rejects.toThrow(PaymentRejected)
        if (stage.provider.capture)
          await expect(stage.provider.capture(unknown, 'capture-1')).rejects.toThrow('unknown payment')
      }
    })
  },
)

describe.for(stages.filter(({ method }) => method === 'paypal'))('capture contract: $name', ({ open }) => {
  async function begun(payer: Payer): Promise<{ provider: PaymentProvider; payment: KnownPayment }> {
    const stage = open()
    const request = stage.request('REFERENCE-1', payer)
    return { provider: stage.provider, payment: known(request, await stage.provider.create(request)) }
  }

  it('approved money is captured once, whatever the request id', async () => {
    const { provider, payment } = await begun('pays')
    const payerId = expect.any(String) as string
    expect(await provider.check(payment)).toEqual({ status: 'approved', amountPaid: null, receipts: [], payerId })
    const first = await provider.capture?.(payment, 'capture-1')
    expect(first).toMatchObject({ status: 'received' })
    expect(await provider.capture?.(payment, 'capture-1')).toEqual(first)
    expect(await provider.capture?.(payment, 'capture-2')).toEqual(first)
  })

  it.for([
    { payer: 'late', status: 'waiting' },
    { payer: 'cancels', status: 'cancelled' },
  ] as const)('money that was not approved is not captured: $status', async ({ payer, status }) => {
    const { provider, payment } = await begun(payer)
    const report = { status, amountPaid: null, receipts: [] }
    expect(await provider.check(payment)).toEqual(report)
    expect(await provider.capture?.(payment, 'capture-1')).toEqual(report)
  })
})

/** The report after a capture, if the provider has one. */
async function collected(provider: PaymentProvider, payment: KnownPayment): Promise<PaymentReport> {
  const report = await provider.check(payment)
  if (report.status !== 'approved' || !provider.capture) return report
  return provider.capture(payment, `capture-${payment.reference}`)
}

/** Checks twice, since a failure may count only when it is reported again. */
async function settledReport(stage: Stage, payment: KnownPayment): Promise<PaymentReport> {
  await collected(stage.provider, payment)
  stage.wait(SLOW_MS)
  return collected(stage.provider, payment)
}

function paidPermille({ receipts }: PaymentReport): number {
  return floorOf(sumOf(receipts.map(({ amount, askedAmount }) => shareOf(1000, amount, askedAmount))))
}

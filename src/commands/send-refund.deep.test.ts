import { describe, expect, it } from 'vitest'
import { paidCents } from '../domain/order/order-money.ts'
import { decimalSum, isSame } from '../domain/decimal.ts'
import { openRefund } from '../domain/order/order-state.ts'
import { crash, crashAfter, type Fate, interposed } from '../engines/testing/interposed.ts'
import { doubles } from '../payments/testing/doubles.ts'
import { gatewayOf } from '../payments/testing/samples.ts'
import type { CashfreeDouble } from '../payments/cashfree/testing/cashfree-double.ts'
import type { PaypalDouble } from '../payments/paypal/testing/paypal-double.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { paymentRequest, testShop } from '../testing/test-shop.ts'
import { checkPayment } from './check-payment.ts'
import { finishRefund, sendRefund } from './send-refund.ts'
import { startPayment } from './start-payment.ts'

const KILLS = 200
const TIMEOUT_MS = 600_000

const gateways = {
  paypal: {
    method: 'paypal',
    open: (now: () => number) => new doubles.paypal({ now }),
    pay: (double: PaypalDouble | CashfreeDouble, id: string) => double.happen(id, { do: 'approve' }),
    sent: (double: PaypalDouble | CashfreeDouble, id: string) =>
      (double as PaypalDouble).known(id).captures.flatMap(({ refunds }) => refunds.map(({ value }) => value)),
  },
  cashfree: {
    method: 'upi',
    open: (now: () => number) => new doubles.cashfree({ now }),
    pay: (double: PaypalDouble | CashfreeDouble, id: string) => double.happen(id, { do: 'pay' }),
    sent: (double: PaypalDouble | CashfreeDouble, id: string) =>
      (double as CashfreeDouble).known(id).refunds.map(({ amount }) => amount),
  },
} as const

describe.for(Object.entries(gateways))('refunds through the double of %s', ([name, { method, open, pay, sent }]) => {
  /** A paid order whose refund is killed at its call number `at`, before or after the call; another process goes on. */
  async function killed(at: number, fate: Fate) {
    let calls: string[] | undefined
    const { promise: dead, resolve: dies } = Promise.withResolvers<'dead'>()
    const fateOf =
      (port: string): Fate =>
      async (make, call) => {
        if (calls === undefined || calls.push(`${port} ${call.name}`) - 1 !== at) return make()
        setImmediate(() => dies('dead'))
        return fate(make, call)
      }
    const test = await testShop({ env: { DELIVERY: 'instant' }, fates: { log: fateOf('log') } })
    const double: PaypalDouble | CashfreeDouble = await open(test.context.clock.now).listen()
    const atProvider = (context: CommandContext): CommandContext => {
      const provider = interposed(
        gatewayOf(name as 'paypal', double.env, { now: context.clock.now }),
        fateOf('provider'),
      )
      return { ...context, providers: { ...context.providers, [method]: [provider] } }
    }
    const context = atProvider(test.context)
    const { orderId } = (await test.placed()).placed
    const request = { ...paymentRequest(orderId, method), phone: '9876543210' }
    const { attempt } = await startPayment(context, test.caller(), request)
    const { paymentId } = attempt.started
    pay(double, paymentId)
    await checkPayment(context, test.caller(), { orderId, attempt: 1 })
    const before = await test.order(orderId)
    const [receipt] = before.receipts
    calls = []
    const refund = {
      receiptId: receipt?.receiptId ?? '',
      amount: receipt?.amount ?? '',
      reason: 'other',
      coinsGiven: null,
    } as const
    const wish = { orderId, adminId: 'owner', idempotencyKey: 'key-1', revision: before.next - 1, refund }
    const isDone = sendRefund(context, test.caller(), wish).then(() => 'done' as const)
    const end = await Promise.race([isDone, dead])
    const made = calls
    calls = undefined
    const other = atProvider(await test.anotherProcess())
    // Staff press again, which may be the first that is known of the wish; then the worker goes on.
    await sendRefund(other, test.caller(), wish)
    await finishRefund(other, test.caller(), { orderId })
    const after = await test.order(orderId)
    const amounts = sent(double, paymentId)
    await double.stop()
    return { end, calls: made, after, sent: amounts, amount: receipt?.amount ?? '0' }
  }

  it(
    `${KILLS} kills, at each step of a refund in turn: sent once, recorded once, and the books balance`,
    { timeout: TIMEOUT_MS },
    async () => {
      const { calls } = await killed(-1, crash)
      expect(calls.filter((call) => call.startsWith('provider'))).toEqual([
        'provider check',
        'provider refund',
        'provider check',
      ])
      let deaths = 0
      for (let kill = 0; kill < KILLS; kill += 1) {
        const at = Math.floor(kill / 2) % calls.length
        const fate = kill % 2 === 0 ? crash : crashAfter
        const { end, after, sent: amounts, amount } = await killed(at, fate)
        if (end === 'dead') deaths += 1
        const what = `${String(at)} ${calls[at]} ${fate === crash ? 'before' : 'after'}`
        expect({ what, sent: amounts.length, recorded: after.refunds.length }).toEqual({ what, sent: 1, recorded: 1 })
        expect(isSame(decimalSum(amounts), amount), what).toBe(true)
        expect({ what, held: paidCents(after), open: openRefund(after) }).toEqual({ what, held: 0, open: undefined })
      }
      expect(deaths).toBeGreaterThan(KILLS * 0.9)
    },
  )
})

import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { inProcessJobQueue } from '../engines/job-queue/in-process-job-queue.ts'
import { systemCaller } from '../shop/shop.ts'
import { Sweep } from '../workers/sweep.ts'
import { providerOfTest } from './shops.ts'
import type { ProviderShop } from './start-provider-shop.ts'

const PAYMENTS = 15
const OUTAGE_S = 130
/** The longest pause, and the pauses of jobs that failed. */
const BACK_S = 60 + 30
/** Pauses of 1, 2, 4, 8, 16, 32 and 60 s. */
const PAUSES = 7

it('checks each payment again right after their provider is back, and asks it once after each pause', async () => {
  const live = await providerOfTest('nowpayments')
  const pass = await workersOf(live)
  const orders = []
  for (let count = 0; count < PAYMENTS; count += 1) {
    orders.push(await live.opened({ pokecoinAmount: 50, customerEmail: `buyer-${count}@example.test` }))
    live.advance(500)
  }
  await pass(5)
  const calls = live.double.calls.length
  live.double.fail({ answer: '500', times: Number.MAX_SAFE_INTEGER })
  for (const { paymentId } of orders) await live.double.act(paymentId, { do: 'pay', webhooks: 0 })
  await pass(OUTAGE_S)
  for (const { orderId } of orders) expect(await live.typesOf(orderId)).not.toContain('PaymentReceived')
  const asked = live.double.calls.length - calls
  expect(asked).toBeGreaterThanOrEqual(PAUSES)
  // One job runs at a time, so that it is the first alone that asks after a pause.
  expect(asked).toBeLessThanOrEqual(PAUSES + 1)

  live.double.recover()
  await pass(BACK_S)
  for (const { orderId } of orders)
    expect((await live.typesOf(orderId)).slice(-2)).toEqual(['PaymentReceived', 'OrderCompleted'])
})

/** The workers that check payments; answers what lets seconds pass, in each of which what is due is queued and done. */
async function workersOf(live: ProviderShop): Promise<(seconds: number) => Promise<void>> {
  const { clock, random } = live.shop
  const policies = live.policies.filter(({ name }) => name.startsWith('check-payments'))
  const queue = inProcessJobQueue()
  onTestFinished(async () => queue.close(0))
  const sweep = new Sweep({ policies, queue, clock, random, onTrouble: () => undefined })
  for (const policy of policies)
    queue.work(policy.name, async (job) => policy.run(job, systemCaller(random)), { ...policy, concurrency: 1 })
  return async (seconds) => {
    for (let second = 0; second < seconds; second += 1) {
      live.advance(1_000)
      await sweep.sweepOnce()
      for (let busy = true; busy; await turn()) {
        const { waiting, running } = await queue.counts()
        busy = waiting + running > 0
      }
    }
  }
}

import { nowPaymentsWebhook } from '../api/payments/nowpayments-webhook.ts'
import { NOWPAYMENTS, nowPayments } from '../payments/nowpayments.ts'
import { type NowPaymentsDouble, nowPaymentsDouble } from '../payments/testing/nowpayments-double.ts'
import { ProviderWatch } from '../payments/provider-watch.ts'
import type { Pace } from '../payments/provider-pace.ts'
import { temporaryViewStore } from '../view-store/sqlite-view-store.ts'
import { type ProviderShop, type ProviderShopOptions, startProviderShop } from './start-provider-shop.ts'
import type { TestShop } from './start-shop.ts'

const apiKey = 'key-of-the-double'
const ipnSecret = 'np-ipn-secret-for-tests'

/** A whole shop that takes coins at a double of NOWPayments. */
export interface LiveShop extends Omit<ProviderShop<NowPaymentsDouble>, 'hook'> {
  /** How another process of this shop sees its providers. */
  watchBy(id: string): ProviderWatch
  /** A new order with an open crypto payment. */
  opened(changes?: Record<string, unknown>): Promise<{ orderId: string; paymentId: string; payAmount: string }>
  create(orderId: string, amount?: string, changes?: Record<string, unknown>): ReturnType<TestShop['post']>
  hook(body: string, signature: string | undefined): Promise<number>
}

interface LiveShopOptions extends ProviderShopOptions {
  /** Calls are not held back by default. */
  readonly pace?: Pace
}

export async function startLiveShop({ pace, ...options }: LiveShopOptions = {}): Promise<LiveShop> {
  const texts = temporaryViewStore().texts
  const shop = await startProviderShop(options, {
    name: NOWPAYMENTS,
    openDouble: async (now) => nowPaymentsDouble({ apiKey, ipnSecret, now }),
    connect(double, { now, timeoutMs }) {
      const crypto = nowPayments({
        url: double.url,
        apiKey,
        payoutCoin: 'ltc',
        get webhookUrl() {
          return double.webhookUrl ?? ''
        },
        now,
        timeoutMs,
        ...(pace && { pace }),
      })
      const watch = new ProviderWatch({ texts, now, id: 'this process' })
      return { providers: { crypto: [watch.watched(crypto)] }, providerWatch: watch }
    },
    webhook: (given) => nowPaymentsWebhook({ ...given, secret: ipnSecret }),
  })
  const create = async (orderId: string, amount = '2.25', changes = {}) =>
    shop.post('/api/crypto/create-payment', { amount, orderId, payCurrency: 'ltc', ...changes })
  return {
    ...shop,
    watchBy: (id) => new ProviderWatch({ texts, now: () => shop.now(), id }),
    create,
    async opened(changes = {}) {
      const orderId = await shop.placed(changes)
      const { body } = await create(orderId)
      return { orderId, paymentId: String(body['payment_id']), payAmount: String(body['pay_amount']) }
    },
    hook: async (body, signature) =>
      shop.hook({ body, headers: signature === undefined ? {} : { 'x-nowpayments-sig': signature } }),
  }
}

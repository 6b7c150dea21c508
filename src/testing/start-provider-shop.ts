import type { WebhookHandler } from '../api/api.ts'
import { providerWebhook } from '../api/routes/provider-webhook.ts'
import { checkPayment } from '../commands/check-payment.ts'
import { expireOrder } from '../commands/order-verbs.ts'
import { reinstateOrder } from '../commands/claim-coins.ts'
import { mayBeReinstated } from '../domain/order/standing.ts'
import { parseConfig } from '../config.ts'
import { type GatewayName, gatewayNames, paymentMethods } from '../domain/payment-methods.ts'
import { gateways } from '../payments/gateways.ts'
import { windowsOf } from '../process/payment-providers.ts'
import { ProviderHealth } from '../payments/provider-health.ts'
import type { Webhook } from '../payments/testing/double.ts'
import { type Doubles, doubles } from '../payments/testing/doubles.ts'
import { findPlacedOrder } from '../shop/handle-order.ts'
import { type CommandContext, systemCaller } from '../shop/command-context.ts'
import { placedBy } from './orders.ts'
import { type ShopOptions, startShop } from './start-shop.ts'

export const PHONE = '9876543210'
/** Shop and double answer sooner, even on a busy machine. */
const ANSWER_MS = 10_000
const customerInfo = { customerPhone: PHONE }

export interface ProviderShopOptions extends ShopOptions {
  readonly webhookMs?: number
  /** Timeout of a call to the provider. */
  readonly timeoutMs?: number
}

interface Paid {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  /** The field of the response that has the payment's id. */
  readonly id: string
}

const upi = { body: { amount: '2.25', customerInfo }, id: 'order_id' }
/** The payment request of each gateway. */
const calls: Readonly<Record<GatewayName, Paid>> = {
  nowpayments: {
    path: '/api/crypto/create-payment',
    body: { amount: '2.25', payCurrency: 'ltc' },
    id: 'payment_id',
  },
  paypal: { path: '/api/paypal/order', body: { amount: '2.65' }, id: 'id' },
  upigateway: { path: '/api/upigateway/create-order', ...upi },
  cashfree: { path: '/api/cashfree/create-order', ...upi },
}

/** A whole shop and a double of one provider, both in this process. */
export async function startProviderShop<Name extends GatewayName>(
  name: Name,
  { timeoutMs = ANSWER_MS, webhookMs = ANSWER_MS, ...options }: ProviderShopOptions = {},
) {
  const { path, body, id } = calls[name]
  // The double starts before the shop, and uses its clock.
  let shopNow: () => number = Date.now
  const now = (): number => shopNow()
  const double: Doubles[Name] = new doubles[name]({ now })
  await double.listen()
  const live = parseConfig({ PAYMENTS: 'live', PUBLIC_URL: 'https://shop.example', ...double.env })
  const health = new ProviderHealth(now)
  const provider = gateways[name].open(live, { now, timeoutMs, health })
  const method = paymentMethods.find((one) => (gatewayNames[one] as readonly string[]).includes(name)) ?? 'upi'
  let handler: WebhookHandler | undefined
  const shop = await startShop({
    ...options,
    providers: { [method]: [{ ...provider, health }], ...options.providers },
    payments: { kind: 'test', windows: windowsOf(live), ...options.payments },
    webhooks: { [name]: async (sent) => handler?.(sent) ?? Promise.reject(new Error('not open yet')) },
  })
  shopNow = () => shop.now()
  const url = `${shop.url}/api/webhooks/${name}`
  // The port is only known once the shop listens.
  double.webhookUrl = url
  // Where a gateway redirects the browser to.
  Object.assign(shop.context.config, { PUBLIC_URL: shop.url })
  handler = providerWebhook({ context: shop.context, answerMs: webhookMs }, name)
  /** Places an order; returns its id. */
  const placed = async (changes: Record<string, unknown> = {}) => await placedBy(shop, changes)
  /** Opens a payment; by default at the price of a new order. */
  const create = async (orderId: string, changes: Record<string, unknown> = {}) =>
    shop.post(path, { ...body, orderId, ...changes })
  /** The provider's id of a payment that the shop has answered, mostly by our reference. */
  const atProvider = ({ [id]: answered }: Readonly<Record<string, unknown>>): string =>
    double.paymentIds(String(answered)).at(-1) ?? String(answered)
  return {
    ...shop,
    double,
    atProvider,
    placed,
    create,
    /** Places an order and opens its payment. */
    async opened(changes?: Record<string, unknown>) {
      const orderId = await placed(changes)
      return { orderId, paymentId: atProvider((await create(orderId)).body) }
    },
    /** Requests a capture, as the payer's browser does after the approval. */
    capture: async (orderId: string, paymentId: string) => shop.post(`${path}/${paymentId}/capture`, { orderId }),
    /** Sends a webhook unchanged. */
    async hook({ body: text, headers }: Webhook) {
      const sent = { 'content-type': 'application/json', ...headers }
      return (await fetch(url, { method: 'POST', headers: sent, body: text })).status
    },
    work: async (orderId: string) => workersAt(shop.context, orderId),
    typesOf: async (orderId: string) => (await shop.eventsOf(`order-${orderId}`)).map(({ type }) => type),
    /** The order as staff see it. */
    order: async (orderId: string) => (await shop.get(`/api/orders/${orderId}`, { token: await shop.logIn() })).body,
    async stop() {
      await double.stop()
      await shop.stop()
    },
  }
}

export type ProviderShop<Name extends GatewayName = GatewayName> = Awaited<ReturnType<typeof startProviderShop<Name>>>

/** Does the workers' jobs for one order. */
async function workersAt(shop: CommandContext, orderId: string): Promise<void> {
  const caller = systemCaller(shop.random)
  const { state } = await findPlacedOrder(shop, orderId)
  for (const { attempt } of state.attempts)
    await checkPayment(shop, caller, { orderId, attempt }).catch(() => undefined)
  const checked = (await findPlacedOrder(shop, orderId)).state
  if (mayBeReinstated(checked)) await reinstateOrder(shop, caller, { orderId })
  await expireOrder(shop, caller, { orderId })
}

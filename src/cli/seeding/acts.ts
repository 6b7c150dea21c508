import { approveOrder } from '../../commands/approve-order.ts'
import {
  cancelOrder,
  choosePaymentMethod,
  deleteOrder,
  expireOrder,
  markDelivered,
  settleAttention,
} from '../../commands/order-verbs.ts'
import { checkPayment } from '../../commands/check-payment.ts'
import { recordRefund } from '../../commands/record-refund.ts'
import { reinstateOrder, reservePreOrders } from '../../commands/claim-coins.ts'
import { startPayment } from '../../commands/start-payment.ts'
import type { RefundReason } from '../../domain/words.ts'
import { may } from '../../domain/order/may.ts'
import { paidCents } from '../../domain/order/order-money.ts'
import { byMethod, type PaymentMethod } from '../../domain/payment-methods.ts'
import type { PaymentProvider, PaymentReport } from '../../payments/payment-provider.ts'
import type { Play } from '../../payments/sandbox/sandbox.ts'
import { findPlacedOrder } from '../../shop/handle-order.ts'
import { ADMIN_ID } from '../../shop/hot/hot-states.ts'
import { type Caller, callerFor, type CommandContext } from '../../shop/command-context.ts'

/** An action on a placed order, by the shop's own commands. Staff act only if the order allows it. */
export type Act = (shop: CommandContext, caller: Caller, orderId: string) => Promise<unknown>

const adminId = ADMIN_ID

export function pay(method: PaymentMethod, play: Play = 'pay'): Act {
  const asked = { method, isAmountRight: () => true }
  // The sandbox chooses its behaviour by the buyer's name, and made-up buyers have ordinary names.
  const playing = (provider: PaymentProvider): PaymentProvider => ({
    ...provider,
    create: async (request) =>
      provider.create({ ...request, customer: { ...request.customer, name: `sandbox-${play}` } }),
  })
  return async (shop, caller, orderId) => startPayment(withProviders(shop, playing), caller, { orderId, ...asked })
}

export function choose(paymentMethod: PaymentMethod): Act {
  return async (shop, caller, orderId) => choosePaymentMethod(shop, caller, { orderId, paymentMethod })
}

/** Checks every payment, which captures an approved wallet payment and ends an old watch. */
export const check: Act = async (shop, caller, orderId) => {
  const { state } = await findPlacedOrder(shop, orderId)
  for (const { attempt } of state.attempts)
    await checkPayment(shop, callerFor(caller, String(attempt)), { orderId, attempt })
}

/** The provider reports that all money was reversed, which the sandbox does not simulate. */
export const takeBack: Act = async (shop, caller, orderId) => check(withProviders(shop, reversing), caller, orderId)

function reversing(provider: PaymentProvider): PaymentProvider {
  return {
    ...provider,
    async check(payment): Promise<PaymentReport> {
      const report = await (provider.capture?.(payment, '') ?? provider.check(payment))
      return { ...report, receipts: report.receipts.map((one) => ({ ...one, reversedAmount: one.amount })) }
    },
  }
}

export const expire: Act = async (shop, caller, orderId) => expireOrder(shop, caller, { orderId })
export const reinstate: Act = async (shop, caller, orderId) => reinstateOrder(shop, caller, { orderId })
export const reserve: Act = async (shop, caller, orderId) => reservePreOrders(shop, caller, [orderId])
export const cancel: Act = async (shop, caller, orderId) => cancelOrder(shop, caller, { orderId })
export const approve: Act = async (shop, caller, orderId) => approveOrder(shop, caller, { orderId, adminId })

export const handOver: Act = async (shop, caller, orderId) => {
  const { state } = await findPlacedOrder(shop, orderId)
  if (may(state).deliver) await markDelivered(shop, caller, { orderId })
}

export const settle: Act = async (shop, caller, orderId) => {
  const { state, revision } = await findPlacedOrder(shop, orderId)
  const reason = paidCents(state) > 0 ? 'left-to-shop' : 'loss-accepted'
  if (may(state).settle) await settleAttention(shop, caller, { orderId, adminId, reason, revision })
}

/** Staff pay back what exceeds the order's total, or a share of all its money. */
export function refund(reason: RefundReason, share: number | 'excess', whereTo: string | null = null): Act {
  return async (shop, caller, orderId) => {
    const { state, revision } = await findPlacedOrder(shop, orderId)
    const heldCents = paidCents(state)
    const amountCents = share === 'excess' ? heldCents - state.placed.totalCents : Math.floor(heldCents * share)
    if (!may(state).refund || amountCents <= 0) return
    const record = { amountCents, receiptId: null, reason, whereTo, coinsGiven: false }
    await recordRefund(shop, caller, { orderId, adminId, idempotencyKey: undefined, revision, refund: record })
  }
}

export const remove: Act = async (shop, caller, orderId) =>
  deleteOrder(shop, caller, { orderId, adminId, coinsGiven: false })

function withProviders(shop: CommandContext, change: (provider: PaymentProvider) => PaymentProvider): CommandContext {
  const { providers } = shop
  const changed = byMethod((method) => providers[method].map(change))
  return { ...shop, providers: changed }
}

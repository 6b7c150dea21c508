import { approveOrder } from '../src/commands/approve-order.ts'
import { capturePayment } from '../src/commands/capture-payment.ts'
import { changeSettings } from '../src/commands/change-settings.ts'
import { eraseCustomer } from '../src/commands/erase-customer.ts'
import {
  cancelOrder,
  choosePaymentMethod,
  deleteOrder,
  markDelivered,
  settleAttention,
} from '../src/commands/order-verbs.ts'
import { recordPayment } from '../src/commands/record-payment.ts'
import { recordRefund } from '../src/commands/record-refund.ts'
import { setStock } from '../src/commands/set-stock.ts'
import { startPayment } from '../src/commands/start-payment.ts'
import { deliveryModes } from '../src/domain/words.ts'
import { centsByReceipt, paidCents as paidCentsOf } from '../src/domain/order/order-money.ts'
import { isDeliveryUnknown, type PlacedOrder, readinessOf } from '../src/domain/order/order-state.ts'
import { findPlacedOrder } from '../src/shop/handle-order.ts'
import { messageActions } from './messages.ts'
import { action } from './action.ts'
import { type BankNews, reportOf } from './bank.ts'
import { amountActions } from './amount-ways.ts'
import { coinActions } from './coin-ways.ts'
import type { Dice } from './dice.ts'
import { disputeActions } from './disputes.ts'
import { isInList } from '../src/words/testing/facts.ts'
import { paidCents } from '../src/words/testing/money-facts.ts'
import type { OrderRow } from './order-row.ts'
import { outside, settled } from './scheduler.ts'
import { seenActions } from './seen-money.ts'
import { sendingActions } from './sent-refunds.ts'
import { BUYERS, CALL_MS, type Placed, type Shopping } from './shopping.ts'

/** Actions of every world. */
const usual = {
  place: action(20, place),
  'place-again': action(3, placeAgain),
  'choose-method': action(1.5, (shopping) => {
    const paymentMethod = shopping.method()
    return shopping.withOrder('choose-method', (shop, caller, orderId) =>
      choosePaymentMethod(shop, caller, { orderId, paymentMethod }),
    )
  }),
  'start-payment': action(10, startsPayment),
  cancel: action(1.5, (shopping) =>
    shopping.withOrder('cancel', (shop, caller, orderId) => cancelOrder(shop, caller, { orderId })),
  ),
  capture: action(6, capture),
  pay: action(14, pay),
  'approve-at-provider': action(8, (shopping) => {
    const { dice, world } = shopping.parts
    const payment = shopping.shown(({ method, status }) => method === 'paypal' && status === 'waiting')
    if (!payment) return false
    payment.status = 'approved'
    payment.wasApproved = true
    world.bank.captureEnds = dice.pick(['received', 'received', 'received', 'confirming', 'declined']) ?? 'received'
    return true
  }),
  'fail-at-provider': action(2, (shopping) => {
    const { dice, world } = shopping.parts
    const payment = shopping.shown(({ receipts, status }) => receipts.length === 0 && status !== 'received')
    if (!payment) return false
    payment.unnumbered = 0
    const status = dice.pick(['failed', 'expired', 'declined', 'cancelled'] as const) ?? 'failed'
    world.bank.says(payment, status, world.scheduler.nowMs)
    return true
  }),
  reverse: action(3, (shopping) => {
    const { dice, world } = shopping.parts
    const payment = shopping.shown(({ receipts }) => receipts.length > 0)
    if (payment) world.bank.reverse(payment, dice.pick([0.2, 0.5, 1]) ?? 1, world.scheduler.nowMs)
    return payment !== undefined
  }),
  'share-receipt': action(4, shareReceipt),
  'send-news': action(3, sendNews),
  webhook: action(5, webhook),
  sweep: action(12, (shopping) => shopping.sweep()),
  project: action(10, (shopping) => {
    const running = shopping.parts.dice.pick(shopping.running.filter(({ isProjecting }) => !isProjecting))
    if (running) shopping.watch(running.main, 'project', running.project())
    return running !== undefined
  }),
  follow: action(2, (shopping) => {
    const { main, hot } = shopping.parts.dice.pick(shopping.running) ?? {}
    if (main && hot) shopping.watch(main, 'follow', Promise.all([hot.inventory.refresh(), hot.settings.refresh()]))
    return true
  }),
  'staff-approve': action(2.5, (shopping) =>
    shopping.withAnyOrder('staff-approve', async (shop, caller, orderId) => {
      shopping.givesByHand(caller)
      await approveOrder(shop, caller, { orderId, adminId: 'owner' })
    }),
  ),
  'staff-delete': action(1, staffDelete),
  'staff-settle': action(4, staffSettle),
  'staff-process': action(2, (shopping) =>
    shopping.withAnyOrder('staff-process', async (shop, caller, orderId) => {
      shopping.givesByHand(caller)
      await markDelivered(shop, caller, { orderId })
    }),
  ),
  'staff-hand-over': action(30, staffHandOver),
  'staff-stock': action(2, (shopping) => {
    const { dice } = shopping.parts
    const stockM = dice.below(7)
    const editKey = dice.chance(0.5) ? `edit-${dice.below(3)}` : null
    const isSeen = dice.chance(0.7)
    return shopping.request('staff', 'staff-stock', async (shop, caller) => {
      const seenM = isSeen ? shop.hot.inventory.state.freeM : undefined
      await setStock(shop, caller, { stockM, seenM, editKey, adminId: 'owner' })
    })
  }),
  'staff-pre-orders': action(0.7, (shopping) => staffSettings(shopping, 'staff-pre-orders')),
  'staff-price': action(0.5, (shopping) => staffSettings(shopping, 'staff-price')),
  erase: action(3, erase),
  'seconds-pass': action(5, (shopping) => shopping.pass(shopping.parts.dice.between(1, 30_000))),
  'minutes-pass': action(1.5, (shopping) => {
    const { config, dice } = shopping.parts
    return shopping.pass(60_000 * config.shop.ORDER_TTL_MINUTES * (0.5 + 2 * dice.fraction()))
  }),
  'a-deadline-comes': action(3, aDeadlineComes),
  'hours-pass': action(1, (shopping) =>
    shopping.pass(60_000 * (shopping.parts.dice.pick([10.2, 11, 55, 61, 80, 23 * 60, 25 * 60]) ?? 60)),
  ),
  'days-pass': action(0.7, (shopping) => shopping.pass(86_400_000 * (6 + shopping.parts.dice.fraction() * 3))),
  crash: action(1, async (shopping) => {
    if (shopping.parts.world.rate('crash') === 0) return false
    await shopping.crash()
    return true
  }),
  'change-delivery': action(1.5, (shopping) => {
    const { config, dice, world } = shopping.parts
    const process = dice.pick(shopping.running)
    if (!process || config.modeChangeShare === 0) return false
    process.configure(dice.pick(deliveryModes) ?? 'staff')
    process.policies = shopping.policies(process, process.main)
    world.scheduler.note(() => `  ${process.name} hands over by ${process.deliveryMode}`)
    return true
  }),
  'stop-thread': action(1.5, (shopping) => {
    const { dice, world } = shopping.parts
    const thread = dice.pick([...shopping.threads])
    if (!thread || world.rate('stopped-thread') === 0) return false
    shopping.threads.delete(thread)
    world.scheduler.stop(thread)
    return true
  }),
  'staff-refund': action(4, staffRefund),
}

/** Worlds without the further groups must draw the same as before, so each group is separate. */
export const actionGroups = {
  usual,
  coins: coinActions,
  disputes: disputeActions,
  seen: seenActions,
  amounts: amountActions,
  messages: messageActions,
  sends: sendingActions,
}
const all = {
  ...usual,
  ...coinActions,
  ...disputeActions,
  ...seenActions,
  ...amountActions,
  ...messageActions,
  ...sendingActions,
}
export type ActionName = keyof typeof all
export const actionNames = Object.keys(all) as ActionName[]

/** Starts an action if it is possible; the scheduler continues it. */
export async function act(shopping: Shopping, name: ActionName): Promise<boolean> {
  const { coverage, world } = shopping.parts
  if (!(await all[name].begin(shopping))) return false
  coverage.reach('actions', name)
  world.scheduler.note(`* ${name}`)
  await settled()
  return true
}

export function actionFor(weights: ReadonlyMap<string, number>, dice: Dice): ActionName {
  let sum = 0
  for (const weight of weights.values()) sum += weight
  let left = dice.fraction() * sum
  for (const [name, weight] of weights) {
    left -= weight
    if (left < 0) return name as ActionName
  }
  return 'sweep'
}

function place(shopping: Shopping): boolean {
  const { config, dice } = shopping.parts
  const { length } = shopping.placed
  if (length >= config.orders) return false
  const quantityM = config.quantityM || dice.between(1, 3)
  const request: Placed['request'] = {
    idempotencyKey: dice.chance(config.keyShare) ? `key-${length}` : undefined,
    customerEmail: `buyer-${dice.below(BUYERS)}@example.com`,
    discordUsername: 'buyer',
    marketId: '12345678',
    marketIds: dice.chance(0.02) ? [{ marketId: '87654321', amountM: quantityM }] : undefined,
    quantityM,
    totalCents: dice.chance(0.05) ? 1 : quantityM * config.unitCents,
    paymentMethod: dice.chance(0.3) ? null : shopping.method(),
  }
  const placed: Placed = { request, orderId: undefined }
  shopping.placed.push(placed)
  return shopping.send(placed, request)
}

/** Sends an order with a used key, with the same body or another one. */
function placeAgain(shopping: Shopping): boolean {
  const { config, dice } = shopping.parts
  const placed = dice.pick(shopping.placed.filter(({ request }) => request.idempotencyKey !== undefined))
  if (!placed) return false
  const { request } = placed
  if (!dice.chance(0.2)) return shopping.send(placed, request)
  const quantityM = (request.quantityM % 3) + 1
  return shopping.send(placed, { ...request, quantityM, totalCents: quantityM * config.unitCents })
}

function startsPayment(shopping: Shopping): boolean {
  const { dice, keys, ledger, world } = shopping.parts
  const method = shopping.method()
  const isWrong = dice.chance(0.03)
  const isRequoted = method === 'crypto' && dice.chance(0.3)
  return shopping.withOrder(`start ${method}`, async (shop, caller, orderId) => {
    const last = [...(ledger.orders.get(orderId)?.started.keys() ?? [])].at(-1)
    const { attempt } = await startPayment(shop, caller, {
      orderId,
      method,
      isAmountRight: () => !isWrong,
      replaces: isRequoted && last !== undefined ? keys.reference(orderId, last) : undefined,
    })
    const own = shopping.answersOwnPayment
      ? world.bank.payments.findLast(({ reference }) => reference === attempt.reference)?.paymentId
      : undefined
    const answered = own ?? attempt.started.paymentId
    const payment = world.bank.payments.find(({ paymentId }) => paymentId === answered)
    if (payment) payment.isShown = true
    if (ledger.orders.get(orderId)?.started.get(attempt.attempt)?.paymentId !== answered)
      ledger.wrong(`${orderId}: the buyer is to pay ${answered}, which is not recorded`)
  })
}

function capture(shopping: Shopping): boolean {
  const { dice, keys } = shopping.parts
  const payment = shopping.shown(({ method }) => method === 'paypal')
  const orderId = payment && keys.referred(payment.reference)?.orderId
  if (!payment || orderId === undefined) return false
  const paymentId = dice.chance(0.02) ? 'pay-of-another-shop' : payment.paymentId
  return shopping.request('buyer', `capture ${paymentId}`, (shop, caller) =>
    capturePayment(shop, caller, { orderId, paymentId }),
  )
}

function pay(shopping: Shopping): boolean {
  const { dice, world } = shopping.parts
  const { bank, scheduler } = world
  const payment = shopping.shown(({ method }) => method !== 'paypal')
  if (!payment) return false
  const isFirst = payment.receipts.length === 0
  if (isFirst && dice.chance(0.25))
    bank.says(payment, dice.pick(['confirming', 'confirmed', 'sending'] as const) ?? 'confirming', scheduler.nowMs)
  else {
    const share = dice.pick(isFirst ? [1, 1, 1, 0.5, 0.5, 0.996, 1.5] : [0.5, 1, 0.1]) ?? 1
    bank.pay(payment, Math.max(1, Math.round(payment.asked * share)), scheduler.nowMs)
  }
  if (dice.chance(0.5)) shopping.report(payment)
  return true
}

/** Reports one receipt for two payments, as if a payer had typed in the same id twice. */
function shareReceipt(shopping: Shopping): boolean {
  const { dice, world } = shopping.parts
  if (world.rate('shared-receipt') === 0) return false
  const from = shopping.shown(({ receipts }) => receipts.length > 0)
  const receipt = from?.receipts[0]
  if (!from || !receipt) return false
  const to = shopping.shown(
    ({ method, receipts, paymentId }) =>
      method === from.method &&
      paymentId !== from.paymentId &&
      !receipts.some(({ receiptId }) => receiptId === receipt.receiptId),
  )
  if (!to) return false
  // A provider says the same of one receipt within one report.
  const isOwnCopy = dice.chance(0.5) && to.reference !== from.reference
  world.bank.share(receipt, to, { isOwnCopy, nowMs: world.scheduler.nowMs })
  if (dice.chance(0.5)) shopping.report(to)
  return true
}

function sendNews(shopping: Shopping): boolean {
  const payment = shopping.shown(() => true)
  if (payment) shopping.report(payment)
  return payment !== undefined
}

/** Reports arrive late, repeatedly or out of order; without faults, only the current state. */
function webhook(shopping: Shopping): boolean {
  const { world, dice, keys } = shopping.parts
  const isFresh = world.rate('stale-news') === 0
  if (isFresh) sendNews(shopping)
  const news = isFresh ? world.bank.news.at(-1) : dice.pick(world.bank.news)
  const referred = news && keys.referred(news.payment.reference)
  if (!referred) return false
  const { orderId, attempt } = referred
  const what = `news of ${news.payment.paymentId}: ${news.report.status}`
  return shopping.request('provider', what, async (shop, caller, { thread }) => {
    const { state } = await findPlacedOrder(shop, orderId)
    const isOver = state.attempts[attempt - 1]?.isWatched === false
    const { asked: then, report } = isOver ? readAgain(news) : news
    const asked = shopping.asksNow ? state : (then ?? state)
    thread.report = report
    await recordPayment(shop, caller, { asked, attempt, report })
  })
}

/** Nothing corrects an old report after the watch: the provider reads its payment again for each webhook. */
function readAgain({ payment }: BankNews): BankNews {
  return { payment, report: reportOf(payment), asked: undefined }
}

/** Whether staff must say if they gave the coins. */
function asksForCoins(state: PlacedOrder): boolean {
  return isDeliveryUnknown(state) || readinessOf(state)?.deliveryMode === 'staff'
}

function staffDelete(shopping: Shopping): boolean {
  const { config, dice, world } = shopping.parts
  const isMistaken = dice.chance(config.mistakenShare)
  const says = isMistaken ? 'not-given' : dice.pick(['what-is-so', 'what-is-so', 'nothing'])
  return shopping.withAnyOrder('staff-delete', async (shop, caller, orderId) => {
    const { state } = await findPlacedOrder(shop, orderId)
    const wasGiven = world.given.has(orderId)
    // Staff answer the question, and some answer wrongly.
    const coinsGiven = !asksForCoins(state) || says === 'nothing' ? null : wasGiven && !isMistaken
    if (coinsGiven === false) (wasGiven ? shopping.mistakes : shopping.notGiven).add(orderId)
    return deleteOrder(shop, caller, { orderId, adminId: 'owner', coinsGiven })
  })
}

function staffSettle(shopping: Shopping): boolean {
  const settle: Parameters<Shopping['withAnyOrder']>[1] = async (shop, caller, orderId) => {
    const { state, revision } = await findPlacedOrder(shop, orderId)
    const reasons = state.attention.map(({ reason }) => reason)
    const { ledger } = shopping.parts
    const row = ledger.orders.get(orderId)
    if (row) ledger.seenBySettler.set(caller.correlationId, { reasons, cents: row.cameCents })
    // Staff take a while to look at the order.
    await shop.clock.sleep(1)
    const seen = shopping.settlesUnseen ? (await findPlacedOrder(shop, orderId)).revision : revision
    await settleAttention(shop, caller, { orderId, adminId: 'owner', reason: 'other', revision: seen })
  }
  return shopping.withAnyOrder('staff-settle', settle, true)
}

/** Staff give the coins of a listed order, and mark it as delivered later: once, twice or never. */
function staffHandOver(shopping: Shopping): boolean {
  const { dice, ledger, world } = shopping.parts
  const waiting = [...ledger.orders.values()].filter(
    (row) => isInList(row) && !world.given.has(row.placed.orderId) && !shopping.notGiven.has(row.placed.orderId),
  )
  const orderId = dice.pick(waiting)?.placed.orderId
  if (orderId === undefined) return false
  shopping.give(orderId, 'hand')
  const marks = dice.pick([0, 1, 1, 1, 2]) ?? 1
  for (let mark = 0; mark < marks; mark += 1)
    world.scheduler.later(outside, `staff come to mark ${orderId.slice(0, 6)}`, async () => {
      shopping.request('staff', `mark-delivered ${orderId.slice(0, 6)}`, (shop, caller) =>
        markDelivered(shop, caller, { orderId }),
      )
    })
  return true
}

function staffSettings(shopping: Shopping, what: 'staff-price' | 'staff-pre-orders'): boolean {
  const { config, dice } = shopping.parts
  const basePriceCents = config.unitCents + 100 * dice.below(3)
  const nearlyNothing = dice.chance(0.05) && { basePriceCents: 1, bulkDiscountPercent: 90 }
  const changes =
    what === 'staff-price'
      ? nearlyNothing || { basePriceCents, bulkDiscountPercent: 0 }
      : { preOrdersEnabled: dice.chance(0.6), upiEnabled: dice.chance(0.7) }
  return shopping.request('staff', what, async (shop, caller) => {
    const seenRevision = shop.hot.settings.revision
    await changeSettings(shop, caller, { changes, adminId: 'owner', seenRevision })
  })
}

function erase(shopping: Shopping): boolean {
  const { config, dice, keys, ledger, world } = shopping.parts
  if (!config.mayErase) return false
  const email = `buyer-${dice.below(BUYERS)}@example.com`
  return shopping.request('staff', `erase ${email}`, async (shop, caller, { process, thread }) => {
    thread.isErasing = true
    const meant = await world.vault.customersByEmail(keys.emailHmac(email))
    const known = shopping.known(process, thread)
    const { isErased } = await eraseCustomer(shop, caller, { email, adminId: 'owner', known })
    if (!isErased) return
    for (const customerId of meant)
      if (!ledger.erased.has(customerId) || !ledger.keysGone.has(customerId))
        ledger.wrong(`${customerId} was reported as erased, but is not`)
  })
}

/** Advances the clock to about the end of an order or of an open call. */
function aDeadlineComes(shopping: Shopping): boolean {
  const { config, dice, ledger, world } = shopping.parts
  const { nowMs } = world.scheduler
  const rows = [...ledger.orders.values()]
  const open = rows.flatMap((row) => [row.capture, row.delivery, openWish(row)].flatMap((call) => call ?? []))
  const calls = open.flatMap(({ callsUntil }) => {
    const untilMs = Date.parse(callsUntil)
    // Only near the deadline is the end of the last call a target, too.
    return nowMs < untilMs - CALL_MS ? [untilMs] : [untilMs, untilMs + CALL_MS]
  })
  const ends = rows.flatMap(({ endedAt, expiresAtMs }) =>
    endedAt === undefined ? [expiresAtMs] : [Date.parse(endedAt) + 7 * 86_400_000],
  )
  if (calls.length === 0 && dice.chance(config.patience)) return false
  const deadlines = calls.length > 0 && dice.chance(0.7) ? calls : [...calls, ...ends]
  const deadline = dice.pick(deadlines.filter((at) => at > nowMs))
  if (deadline === undefined) return false
  const isNear = deadline - nowMs <= CALL_MS
  shopping.pass(Math.max(1, deadline - nowMs + dice.between(isNear ? 1 : -20_000, 8_000)))
  // Sweeps are frequent: one often runs at about this moment.
  if (dice.chance(0.7)) shopping.sweep()
  return true
}

function openWish({ wishes, everWished }: OrderRow) {
  const [refundId] = [...wishes].find(([, state]) => state === 'open') ?? []
  return refundId === undefined ? undefined : everWished.get(refundId)
}

/** Staff refund money at the provider, which may report it, and record it once or twice. */
function staffRefund(shopping: Shopping): boolean {
  const { config, dice, keys, ledger, world } = shopping.parts
  const rows = [...ledger.orders.values()]
  const paying = rows.filter((row) => paidCents(row) > 0)
  const orderId = dice.pick(dice.chance(0.95) ? paying : rows)?.placed.orderId
  if (orderId === undefined) return false
  const share = dice.pick([1, 1, 1, 0.4]) ?? 1
  const isWhole = dice.chance(0.5)
  const isReported = dice.chance(0.5)
  const as = (config.amounts && dice.pick(['reversed', 'pending', 'failed', 'failed'] as const)) || 'reversed'
  const isRepeated = dice.chance(0.3)
  const hasKey = dice.chance(0.5)
  const whereTo = dice.chance(0.5) ? 'to the account of the buyer' : null
  const says = dice.pick(['what-is-so', 'what-is-so', 'nothing'])
  return shopping.request('staff', `refund ${orderId.slice(0, 6)}`, async (shop, caller) => {
    const { state, revision } = await findPlacedOrder(shop, orderId)
    const held = centsByReceipt(state)
    const receipt = state.receipts.findLast(({ receiptId }) => (held.get(receiptId) ?? 0) > 0)
    const heldCents = isWhole || !receipt ? paidCentsOf(state) : (held.get(receipt.receiptId) ?? 0)
    const amountCents = Math.max(1, Math.floor(heldCents * share))
    ledger.seenByRefunder.set(caller.correlationId, paidCentsOf(state))
    if (receipt && isReported && !isWhole) {
      const coversCents = state.attempts[receipt.attempt - 1]?.coversCents ?? 1
      for (const payment of world.bank.payments)
        if (keys.referred(payment.reference)?.orderId === orderId)
          for (const own of payment.receipts.filter(({ receiptId }) => receiptId === receipt.receiptId)) {
            const amount = Math.ceil((payment.asked * amountCents) / coversCents)
            world.bank.refund(own, amount, { as, nowMs: world.scheduler.nowMs })
          }
    }
    await shop.clock.sleep(1)
    const wasGiven = world.given.has(orderId)
    const coinsGiven = asksForCoins(state) && says === 'what-is-so' ? wasGiven : null
    if (coinsGiven === false) shopping.notGiven.add(orderId)
    const request = {
      orderId,
      adminId: 'owner',
      idempotencyKey: hasKey ? `refund-${caller.correlationId}` : undefined,
      revision: shopping.refundsUnseen ? (await findPlacedOrder(shop, orderId)).revision : revision,
      refund: {
        amountCents,
        receiptId: isWhole ? null : (receipt?.receiptId ?? null),
        reason: 'other',
        whereTo,
        coinsGiven,
      },
    } as const
    await recordRefund(shop, caller, request)
    if (isRepeated) await recordRefund(shop, { ...caller, requestId: `${caller.requestId}/again` }, request)
  })
}

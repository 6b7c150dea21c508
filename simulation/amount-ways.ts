import { action } from './action.ts'
import type { BankPayment, BankReceipt } from './bank.ts'
import type { Dice } from './dice.ts'
import type { Shopping } from './shopping.ts'

/** Exact amounts arrive in parts, and providers correct, withdraw, refund and give back what they have reported. */
export const amountActions = {
  // Some or all parts, which make up exactly what was asked.
  'pay-in-parts': action(20, (shopping) => {
    const { world, dice } = shopping.parts
    const { bank, scheduler } = world
    const payment = shopping.shown((one) => one.due.length > 0 || (isUnpaid(one) && isDivisible(one, shopping)))
    if (!payment) return false
    if (payment.due.length === 0) payment.due = partsOf(payment.asked, dice.between(2, PARTS_MAX), dice)
    const count = dice.chance(0.5) ? payment.due.length : 1
    for (const part of payment.due.splice(0, count)) bank.payPart(payment, part, scheduler.nowMs)
    return shopping.tell(payment)
  }),
  'amount-corrected': action(3, (shopping) =>
    withReceipt(shopping, isFinal, ({ payment, receipt, nowMs }) => {
      const { world, dice } = shopping.parts
      const less = dice.pick([receipt.peak, receipt.paid - 1, Math.floor(receipt.paid / 2)]) ?? receipt.peak
      world.bank.correct(receipt, Math.max(1, less), nowMs)
      return shopping.tell(payment)
    }),
  ),
  // As a denied capture, or one that a failure takes back; it may be given back.
  withdraw: action(3, (shopping) =>
    withReceipt(
      shopping,
      () => true,
      ({ payment, receipt, nowMs }) => {
        const { world, dice } = shopping.parts
        const status = dice.pick(['declined', 'failed', 'cancelled'] as const) ?? 'declined'
        const back = { state: 'final', status: 'received' } as const
        const to = receipt.state === 'withdrawn' ? back : ({ state: 'withdrawn', status } as const)
        world.bank.restate(payment, receipt, to, nowMs)
        return shopping.tell(payment)
      },
    ),
  ),
  // Its word says no more that the money is final, and more may have come; later it is final, or withdrawn.
  loosen: action(4, (shopping) =>
    withReceipt(
      shopping,
      ({ state }) => state !== 'withdrawn',
      ({ payment, receipt, nowMs }) => {
        const { world, dice } = shopping.parts
        const more = dice.pick([0, 1, Math.max(1, payment.asked - receipt.paid)]) ?? 0
        const status = dice.pick(['failed', 'unknown', 'confirming'] as const) ?? 'failed'
        const end = dice.pick(['final', 'final', 'withdrawn'] as const) ?? 'final'
        const ended = { state: end, status: end === 'final' ? 'received' : 'failed' } as const
        const to = receipt.state === 'loose' ? ended : ({ state: 'loose', status, more } as const)
        world.bank.restate(payment, receipt, to, nowMs)
        return shopping.tell(payment)
      },
    ),
  ),
  'refund-at-provider': action(4, (shopping) =>
    withReceipt(shopping, isFinal, ({ payment, receipt, nowMs }) => {
      const { world, dice } = shopping.parts
      const amount = Math.max(1, Math.floor(receipt.paid * (dice.pick([0.5, 1, 0.001]) ?? 1)))
      const as = dice.pick(['reversed', 'pending', 'failed'] as const) ?? 'reversed'
      world.bank.refund(receipt, amount, { as, nowMs })
      return shopping.tell(payment)
    }),
  ),
  'refund-ends': action(8, (shopping) =>
    withReceipt(
      shopping,
      ({ pending, failed }) => pending + failed > 0,
      ({ payment, receipt, nowMs }) => {
        const { world, dice } = shopping.parts
        const from = receipt.pending > 0 ? 'pending' : 'failed'
        const to = dice.pick(['reversed', from === 'pending' ? 'failed' : 'reversed'] as const) ?? 'reversed'
        world.bank.refundEnds(receipt, from, to, nowMs)
        return shopping.tell(payment)
      },
    ),
  ),
  // As a cancelled chargeback.
  'taken-back-undone': action(4, (shopping) =>
    withReceipt(
      shopping,
      ({ reversed }) => reversed > 0,
      ({ payment, receipt, nowMs }) => {
        const left = shopping.parts.dice.pick([0, 0, Math.floor(receipt.reversed / 2)]) ?? 0
        shopping.parts.world.bank.undo(receipt, left, nowMs)
        return shopping.tell(payment)
      },
    ),
  ),
  // Also long after the watch.
  'unknown-word': action(2, (shopping) => {
    const { world, dice } = shopping.parts
    const late = shopping.shown((one) => isSilent(one) && isWatchOver(one, shopping))
    const payment = late ?? shopping.shown(isSilent)
    if (!payment) return false
    const status = payment.status === 'unknown' ? (dice.pick(['waiting', 'failed'] as const) ?? 'failed') : 'unknown'
    world.bank.says(payment, status, world.scheduler.nowMs)
    return shopping.tell(payment)
  }),
  'success-without-number': action(5, (shopping) => {
    const { world } = shopping.parts
    const payment = shopping.shown((one) => one.method === 'upi' && isUnpaid(one) && one.unnumbered === 0)
    if (!payment) return false
    payment.unnumbered = payment.asked
    world.bank.says(payment, 'confirmed', world.scheduler.nowMs)
    return shopping.tell(payment)
  }),
  // Its own, or that of a receipt which another payment has reported.
  'number-comes': action(6, (shopping) => {
    const { world, dice } = shopping.parts
    const { bank, scheduler } = world
    const payment = shopping.shown(({ unnumbered }) => unnumbered > 0)
    if (!payment) return false
    const known = shopping.shown(({ method, receipts }) => method === 'upi' && receipts.some(isFinal))
    const receipt = known?.receipts.find(isFinal)
    const end = dice.pick(['own', 'shared', 'shared', 'fails'] as const) ?? 'own'
    // A gateway without refunds always says of its copy that nothing went back.
    const isOwnCopy = dice.chance(0.5)
    if (end === 'shared' && receipt) bank.share(receipt, payment, { isOwnCopy, nowMs: scheduler.nowMs })
    else if (end === 'own') bank.pay(payment, payment.asked, scheduler.nowMs)
    else {
      payment.unnumbered = 0
      bank.says(payment, dice.pick(['failed', 'declined', 'cancelled'] as const) ?? 'failed', scheduler.nowMs)
    }
    return shopping.tell(payment)
  }),
  'amount-webhook': action(14, (shopping) => shopping.sendWebhook()),
}

const PARTS_MAX = 5

function isUnpaid({ receipts, seen }: BankPayment): boolean {
  return receipts.length === 0 && seen.length === 0
}

function isSilent(payment: BankPayment): boolean {
  return isUnpaid(payment) && payment.unnumbered === 0 && payment.due.length === 0
}

/** PayPal money comes by a capture, and a single transfer is not divided. */
function isDivisible({ method, unnumbered }: BankPayment, { parts: { world } }: Shopping): boolean {
  return method === 'crypto' || (method === 'upi' && unnumbered === 0 && !world.bank.isOneTransfer)
}

function isWatchOver({ reference }: BankPayment, shopping: Shopping): boolean {
  const found = shopping.rowOf(reference)
  return found?.row.watchEndedAt.has(found.attempt) === true
}

function isFinal({ state }: BankReceipt): boolean {
  return state === 'final'
}

/** At least one unit each. */
function partsOf(amount: number, count: number, dice: Dice): number[] {
  const cuts = Array.from({ length: count - 1 }, () => dice.between(1, amount - 1))
  const ends = [...new Set([0, ...cuts, amount])].toSorted((one, other) => one - other)
  return ends.slice(1).map((end, index) => end - (ends[index] ?? 0))
}

function withReceipt(
  shopping: Shopping,
  fits: (receipt: BankReceipt) => boolean,
  work: (found: { payment: BankPayment; receipt: BankReceipt; nowMs: number }) => boolean,
): boolean {
  const { world, dice } = shopping.parts
  const payment = shopping.shown(({ receipts }) => receipts.some(fits))
  const receipt = payment && dice.pick(payment.receipts.filter(fits))
  return payment !== undefined && receipt !== undefined && work({ payment, receipt, nowMs: world.scheduler.nowMs })
}

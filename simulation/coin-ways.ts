import { settleUnplacedReceipt } from '../src/commands/settle-unplaced-receipt.ts'
import { action } from './action.ts'
import type { BankPayment } from './bank.ts'
import type { Shopping } from './shopping.ts'

/** Other ways in which coins arrive: at a used address, in another coin, at an address whose creation was not answered, or without an order. */
export const coinActions = {
  // To a used or shown address, with its own id.
  'coin-transfer': action(12, (shopping) => {
    const { world, dice } = shopping.parts
    const parent = coinPayment(shopping, ({ transfer }) => !transfer)
    if (!parent) return false
    const transfer = { parentId: parent.paymentId, isListed: dice.chance(0.5), isStray: dice.chance(0.3) }
    return arrives(shopping, world.bank.open('crypto', parent, transfer))
  }),
  'coin-at-lost-address': action(6, (shopping) => {
    return arrives(
      shopping,
      coinPayment(shopping, ({ isShown, transfer }) => !isShown && !transfer),
    )
  }),
  // With a reference of the shop, as after a loss of events; its order may be placed later.
  'coin-without-order': action(2, (shopping) => {
    const { world, dice, keys } = shopping.parts
    shopping.strangers += 1
    const stranger = `00000000-0000-4000-8000-${String(shopping.strangers).padStart(12, '0')}`
    const orderId = (dice.chance(0.5) ? dice.pick(idsToCome(shopping)) : undefined) ?? stranger
    const askedMinor = dice.between(1, 3) * 1_000
    const asked = { reference: keys.reference(orderId, 1), askedMinor, currency: 'USD' } as const
    return arrives(shopping, world.bank.open('crypto', asked))
  }),
  'coin-changes': action(4, (shopping) => {
    const { world, dice } = shopping.parts
    const payment = coinPayment(shopping, ({ isShown, receipts }) => !isShown && receipts.length > 0)
    if (!payment) return false
    if (dice.chance(0.5)) return arrives(shopping, payment)
    world.bank.reverse(payment, dice.pick([0.2, 0.5, 1]) ?? 1, world.scheduler.nowMs)
    return shopping.tell(payment)
  }),
  'coin-undone': action(3, (shopping) => {
    const { world } = shopping.parts
    const payment = coinPayment(shopping, ({ receipts }) => receipts.some(({ reversed }) => reversed > 0))
    if (!payment) return false
    for (const receipt of payment.receipts) world.bank.undo(receipt, 0, world.scheduler.nowMs)
    return shopping.tell(payment)
  }),
  // Staff settle unplaced money; an order that asks for it later does not get it.
  'coin-settled': action(2, (shopping) => {
    const { dice, ledger } = shopping.parts
    const receiptId = dice.pick([...ledger.unplaced])?.split('/')[1]
    if (receiptId === undefined) return false
    const settlement = { provider: 'crypto', receiptId, outcome: 'paid-back', adminId: 'owner' } as const
    return shopping.request('staff', `settle ${receiptId}`, async (shop, caller) =>
      settleUnplacedReceipt(shop, caller, settlement),
    )
  }),
  'coin-webhook': action(14, (shopping) => {
    const again = shopping.parts.dice.chance(0.2) ? coinPayment(shopping, () => true) : undefined
    return shopping.sendWebhook(again)
  }),
}

/** Ids of future orders, which derive from the buyers' keys. */
function idsToCome({ placed, parts: { config, keys } }: Shopping): string[] {
  const serials = Array.from({ length: config.orders - placed.length }, (_, index) => placed.length + index)
  return serials.map((serial) => keys.orderIdFor(`key-${serial}`))
}

function arrives(shopping: Shopping, payment: BankPayment | undefined): boolean {
  const { world, dice } = shopping.parts
  if (!payment) return false
  const share = dice.pick([1, 1, 0.5, 0.1, 0.996, 1.5]) ?? 1
  world.bank.pay(payment, Math.max(1, Math.round(payment.asked * share)), world.scheduler.nowMs)
  return shopping.tell(payment)
}

function coinPayment({ parts: { world, dice } }: Shopping, fits: (payment: BankPayment) => boolean) {
  return dice.pick(world.bank.payments.filter((payment) => payment.method === 'crypto' && fits(payment)))
}

import type { NamedPayment } from '../../commands/take-payment-news.ts'
import { settleUnplacedReceipt } from '../../commands/settle-unplaced-receipt.ts'
import { orderStream } from '../../domain/stream-names.ts'
import type { ReceiptEvent } from '../../domain/receipt/events.ts'
import type { ShopKeys } from '../../shop/keys.ts'
import type { CoinActionName } from './actions.ts'
import type { BankPayment } from './bank.ts'
import type { Dice } from './dice.ts'
import type { World } from './engines.ts'
import type { Ledger, OrderRow } from './ledger.ts'
import type { Request, Webhooks } from './webhooks.ts'

/** The attempt that a payment is of, by its reference, method and price. */
export function attemptOf(
  { reference, method, askedMinor, transfer }: BankPayment,
  { keys, ledger }: Pick<Parts, 'keys' | 'ledger'>,
): { row: OrderRow; attempt: number; asked: OrderRow['attempts'][number] } | undefined {
  const referred = keys.referred(reference)
  const row = referred && ledger.orders.get(referred.orderId)
  const asked = referred && row?.attempts[referred.attempt - 1]
  if (!asked || asked.method !== method) return undefined
  return transfer || asked.askedMinor === askedMinor ? { row, attempt: referred.attempt, asked } : undefined
}

/** What every kind of payer's doings needs. */
export interface PayerParts {
  readonly world: World
  readonly dice: Dice
  readonly webhooks: Webhooks
  readonly request: Request
}

interface Parts extends PayerParts {
  readonly ledger: Ledger
  readonly keys: ShopKeys
  /** Ids of orders that are not placed yet, though their keys are known. */
  readonly idsToCome: () => readonly string[]
}

/** Ways of coins beside the transfer that was asked for: to a used address, in another coin, to an address whose opening went unanswered, for an order that is not here. */
export class CoinWays {
  private readonly parts: Parts
  private strangers = 0

  constructor(parts: Parts) {
    this.parts = parts
  }

  begin(action: CoinActionName): boolean {
    switch (action) {
      case 'coin-transfer':
        return this.transfer()
      case 'coin-at-lost-address':
        return this.arrives(this.pick(({ isShown, transfer }) => !isShown && !transfer))
      case 'coin-without-order':
        return this.withoutOrder()
      case 'coin-changes':
        return this.changes()
      case 'coin-settled':
        return this.settled()
      case 'coin-webhook':
        return this.webhook()
    }
  }

  /** To an address that was used or shown, under an id of its own. */
  private transfer(): boolean {
    const { world, dice } = this.parts
    const parent = this.pick(({ transfer }) => !transfer)
    if (!parent) return false
    const { paymentId: parentId } = parent
    const transfer = { parentId, isListed: dice.chance(0.5), isStray: dice.chance(0.3) }
    return this.arrives(world.bank.open('crypto', parent, transfer))
  }

  /** Under a reference of the shop, as after a loss of events; its order may be placed later. */
  private withoutOrder(): boolean {
    const { world, dice, keys } = this.parts
    this.strangers += 1
    const stranger = `00000000-0000-4000-8000-${String(this.strangers).padStart(12, '0')}`
    const orderId = (dice.chance(0.5) ? dice.pick(this.parts.idsToCome()) : undefined) ?? stranger
    const askedMinor = dice.between(1, 3) * 1_000
    return this.arrives(
      world.bank.open('crypto', { reference: keys.reference(orderId, 1), askedMinor, currency: 'USD' }),
    )
  }

  private arrives(payment: BankPayment | undefined): boolean {
    const { world, dice, webhooks } = this.parts
    if (!payment) return false
    const share = dice.pick([1, 1, 0.5, 0.1, 0.996, 1.5]) ?? 1
    world.bank.pay(payment, Math.max(1, Math.round(payment.askedMinor * share)), world.scheduler.nowMs)
    webhooks.send(namedBy(payment))
    return true
  }

  private changes(): boolean {
    const { world, dice, webhooks } = this.parts
    const payment = this.pick(({ isShown, receipts }) => !isShown && receipts.length > 0)
    if (!payment) return false
    if (dice.chance(0.5)) return this.arrives(payment)
    world.bank.reverse(payment, dice.pick([0.2, 0.5, 1]) ?? 1, world.scheduler.nowMs)
    webhooks.send(namedBy(payment))
    return true
  }

  /** Staff deal with what no order takes; whatever turns up afterwards is refused it. */
  private settled(): boolean {
    const { dice, ledger, request } = this.parts
    const receiptId = dice.pick([...ledger.unplaced])?.split('/')[1]
    if (receiptId === undefined) return false
    const settlement = { provider: 'crypto', receiptId, outcome: 'paid-back', adminId: 'owner' } as const
    return request('staff', `settle ${receiptId}`, async (shop, caller) =>
      settleUnplacedReceipt(shop, caller, settlement),
    )
  }

  private webhook(): boolean {
    const { dice, request, webhooks } = this.parts
    const again = dice.chance(0.2) ? this.pick(() => true) : undefined
    return webhooks.sendNow(again ? namedBy(again) : webhooks.pick(dice), request)
  }

  /** Noted by who had read its order: then it was not there. */
  onUnplaced(
    { reference, receiptId }: Extract<ReceiptEvent, { type: 'ReceiptUnplaced' }>['data'],
    correlationId: string,
  ) {
    const { keys, ledger, world } = this.parts
    const referred = keys.referred(reference)
    const row = referred && ledger.orders.get(referred.orderId)
    const read = world.callers.get(correlationId)?.reads.get(orderStream(referred?.orderId ?? '')) ?? 0
    const requested = row?.history.slice(0, read).filter((type) => type === 'PaymentRequested').length ?? 0
    const payment = world.bank.payments.find(({ paymentId }) => paymentId === receiptId)
    const asked = requested > 0 && payment ? attemptOf(payment, this.parts)?.asked : undefined
    if (asked && asked.askedMinor === payment?.askedMinor)
      ledger.wrong(`receipt ${receiptId} is noted without its order, which was there`)
  }

  private pick(fits: (payment: BankPayment) => boolean): BankPayment | undefined {
    const { world, dice } = this.parts
    return dice.pick(world.bank.payments.filter((payment) => payment.method === 'crypto' && fits(payment)))
  }
}

function namedBy({ paymentId, reference }: BankPayment): NamedPayment {
  return { provider: 'crypto', paymentId, reference }
}

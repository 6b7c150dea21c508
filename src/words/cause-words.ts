import { type AttentionReason, attentionReasons, type RefundReason } from '../domain/words.ts'
import { usd } from '../domain/money.ts'
import { hasCause } from '../domain/order/causes.ts'
import { isReversed, paidCents } from '../domain/order/order-money.ts'
import { hasOpenDispute, isDisputed, outcomeOf, type PlacedOrder } from '../domain/order/order-state.ts'

/* What people read of the causes of an order. Staff's texts name no command: those that are open stand beside them. */

/** Advice depends on it. */
type LifeKind = PlacedOrder['life']['kind']

interface Row {
  /** For staff's lists; its paragraph in `docs/payments.md` has it as title. */
  readonly name: string
  /** For the timeline. */
  readonly message: string
  /** What to look at and to do, in at most two sentences. By kind of life, where the cause can be present in it. */
  readonly advice: Readonly<Partial<Record<LifeKind, string>>>
  /** Preset for a refund. */
  readonly refundReason?: RefundReason
  readonly buyer?: string | ((order: PlacedOrder) => string)
}

/** Advice on money that may be at the provider: until the order has ended, it can still be confirmed and delivered. */
const ifThere = {
  open: 'money that is there pays for this order, as far as it is not paid yet. End an order that is not to be delivered before its money goes back.',
  ended:
    'money that is there can pay for this order after all, if there is stock. Otherwise deal with this here before that money goes back, since money that is confirmed later may bring the order back.',
  completed: 'money that is there goes back at the provider, unless the order was completed for it.',
  deleted: 'money that is there goes back at the provider, unless coins were given for it or it has gone back before.',
} as const

function after(look: string): Row['advice'] {
  return {
    open: `${look}: ${ifThere.open}`,
    ended: `${look}: ${ifThere.ended}`,
    completed: `${look}: ${ifThere.completed}`,
    deleted: `${look}: ${ifThere.deleted}`,
  }
}

const REFUND_HELD = 'A refund of this order has not gone through yet. A person at the shop will look at it.'

const rows: Readonly<Record<AttentionReason, Row>> = {
  reversed: {
    name: 'Payment reversed',
    message: 'A payment was reversed, in whole or in part.',
    advice: {
      open: 'Look at the payment at its provider before any coins are given. What stands as held is what is left of it.',
      ended:
        'Look at the payment at its provider. If the coins were given, contest it there, or ask the buyer to pay for them outside this order.',
      completed:
        'The coins were given: contest it at the provider, or ask the buyer to pay for them outside this order. What stands as held still pays for them.',
      deleted:
        'Look at the payment at its provider. If the coins were given, contest it there, or ask the buyer to pay for them outside this order.',
    },
    buyer: (order) =>
      `Money of this order went back at the payment provider${isReversed(order) ? '' : ', and came again'}. A person at the shop will look at it.`,
  },
  disputed: {
    name: 'Payment disputed',
    message: 'The payer has disputed the payment at its provider.',
    advice: {
      open: 'While it is open, answer it at the provider, give no coins and pay nothing back. Once it is lost, see there what went back.',
      ended:
        'While it is open, answer it at the provider and pay nothing back. Once it is lost, see there what went back.',
      completed:
        'While it is open, answer it at the provider and pay nothing back. Once it is lost, see there what went back.',
      deleted:
        'While it is open, answer it at the provider and pay nothing back. Once it is lost, see there what went back.',
    },
    buyer: (order) =>
      hasOpenDispute(order)
        ? 'A payment of this order is disputed at its provider. A person at the shop will look at it.'
        : 'A dispute about a payment of this order has ended. A person at the shop will look at it.',
  },
  'buyer-blocked': {
    name: 'Buyer blocked',
    message: 'The buyer or payer of this order is blocked.',
    advice: {
      open: 'Give no coins before you have decided. They can be given after all, or what is held goes back, which ends the order.',
    },
  },
  'delivery-unknown': {
    name: 'Delivery unknown',
    message: 'It is not known whether the coins were given.',
    advice: {
      open: 'Find out whether the coins were given, and give none before you know. If they were not, they are given by hand, or what is held goes back.',
    },
    buyer: 'It is not known whether the coins were handed over. A person at the shop will find out.',
  },
  'buyer-unreadable': {
    name: 'Buyer not readable',
    message: 'The buyer cannot be read, so the bot was not asked.',
    advice: {
      open: 'Put the newest copy of the vault back, so that the buyer can be read. If there is none, give the coins by hand, or what is held goes back.',
    },
    buyer: 'The coins could not be handed over automatically. A person at the shop will look at it.',
  },
  'wrong-coin': {
    name: 'Paid in another coin',
    message: 'Money came in another coin than was asked for.',
    advice: after('See at the provider what it is worth'),
    buyer:
      'Money has arrived in another coin, or over another network, than was asked for. A person at the shop will look at it: please send nothing more now.',
  },
  'capture-unknown': {
    name: 'Capture unknown',
    message: 'PayPal did not say whether the money was taken.',
    advice: after('Look at PayPal'),
    buyer:
      'It is not known yet whether a payment of this order went through. A person at the shop will look at it: please pay nothing more now.',
  },
  'refund-unknown': {
    name: 'Refund unknown',
    message: 'The provider did not say whether a refund was made.',
    advice: {
      ...everywhere(
        'Look there for the refund. If it is there, note it here, unless it appears here by itself; if it is not, pay back again.',
      ),
      open: 'Look there for the refund before any coins are given. If it is there, note it here, unless it appears here by itself; if it is not, pay back again, or give the coins.',
    },
    buyer: 'It is not known yet whether a refund of this order went through. A person at the shop will look at it.',
  },
  'payment-unclear': {
    name: 'Payment unclear',
    message: 'It is not known whether the money of a payment came.',
    advice: after('Look at the payment at its provider'),
    buyer:
      'It is not known whether a payment of this order arrived. A person at the shop will look at it: please pay nothing more now.',
  },
  'never-confirmed': {
    name: 'Seen, not confirmed',
    message: 'A payment was seen and is not confirmed.',
    advice: after('Look at the payment at its provider'),
    buyer: 'A payment of this order was seen and is not confirmed. A person at the shop will look at it.',
  },
  'receipt-refused': {
    name: 'Receipt of another order',
    message: 'A receipt was shown that has paid another order.',
    advice: {
      open: 'One receipt pays one order: ask the buyer which one was meant. Give nothing for it here before you have seen that the other order has given nothing for it.',
      ended:
        'One receipt pays one order: ask the buyer which one was meant. Give nothing for it here before you have seen that the other order has given nothing for it.',
      completed:
        'One receipt pays one order: ask the buyer which one was meant, and give nothing more here. If it was this one, the other order is not paid by it: look there.',
      deleted:
        'One receipt pays one order: ask the buyer which one was meant, and give nothing here. If it was this one, look at the other order.',
    },
    buyer:
      'The receipt that was sent for this order has paid another one. If it was meant for this order, please pay nothing more and write to support.',
  },
  'delivered-after-end': {
    name: 'Delivered after its end',
    message: 'It became known after the end that the coins were given.',
    advice: {
      ended:
        'The coins were given, and the stock still counts them: correct it, unless the order is completed after all. What is missing is paid outside this order.',
      deleted:
        'The coins were given, and the stock still counts them: correct it. What is missing is paid outside this order.',
    },
    buyer:
      'It became known after the end of this order that its coins were handed over. A person at the shop will look at it.',
  },
  'refund-failed': {
    name: 'Refund failed',
    message: 'A refund that was noted has failed at the provider.',
    advice: everywhere(
      'The provider still holds the money of a refund that was noted here. Pay it back there once more, and note nothing: this ends when the provider has paid it.',
    ),
    buyer: REFUND_HELD,
  },
  'refund-refused': {
    name: 'Refund not sent',
    message: 'A refund was not sent.',
    advice: everywhere(
      'The timeline says why. Pay back again once that is dealt with, or do it at the provider and only note it here.',
    ),
    buyer: REFUND_HELD,
  },
  short: {
    name: 'Paid too little',
    message: 'Less is held than the total.',
    advice: {
      open: 'Wait for the rest, above all while a payment is being confirmed, or give the coins for what is held. If neither, note what is held as refunded, which ends the order, before it goes back.',
    },
  },
  over: {
    name: 'Paid too much',
    message: 'More is held than the shop may keep.',
    advice: everywhere(
      'What stands to be paid back goes back, and is noted here. What has gone back before is only noted.',
    ),
    refundReason: 'paid-too-much',
  },
  unearned: {
    name: 'Money held after the end',
    message: 'This order has ended, and money is held for it.',
    advice: {
      ended:
        'What stands to be paid back goes back, unless the order is completed for it after all. Deal with this here first, since more money may bring the order back; what has gone back before is only noted.',
      deleted:
        'What stands to be paid back goes back, and is noted here, unless it pays for another order. What has gone back before is only noted.',
    },
    refundReason: 'not-delivered',
  },
}

function everywhere(advice: string): Row['advice'] {
  return { open: advice, ended: advice, completed: advice, deleted: advice }
}

/** A cause of this order as staff read it. */
export function causeWords(order: PlacedOrder, reason: AttentionReason) {
  const { name, message, advice, refundReason } = rows[reason]
  const page = `payments.md#${name.toLowerCase().replaceAll(',', '').replaceAll(' ', '-')}`
  return { name, message, advice: advice[order.life.kind] ?? '', page, refundReason }
}

/** The buyer's text while a person has to look; undefined if only the rest is to be paid. */
export function buyerSentence(order: PlacedOrder): string | undefined {
  if (order.attention.every(({ reason }) => reason === 'short')) return undefined
  const first = attentionReasons.find((reason) => rows[reason].buyer && hasCause(order, reason))
  const sentence = first && rows[first].buyer
  const what =
    (typeof sentence === 'function' ? sentence(order) : sentence) ??
    'A person at the shop will look at the payment of this order.'
  // Money that paid for delivered coins is no longer held.
  const keptCents = outcomeOf(order) === 'completed' ? order.placed.totalCents : 0
  const isHeld = paidCents(order) > keptCents && !isDisputed(order)
  const held = isHeld ? ` The shop holds ${usd(paidCents(order))} for this order.` : ''
  return `${what}${held} Please have your order number ready if you write to support.`
}

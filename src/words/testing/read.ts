import type { PlacedOrder } from '../../domain/order/order-state.ts'
import { situationOf } from '../../domain/order/situation.ts'
import { dueCents, toPayBackCents } from '../../domain/order/standing.ts'
import { buyerSentence, causeWords } from '../cause-words.ts'
import { paymentText } from '../payment-text.ts'
import type { Read } from './claims.ts'

/** What staff and buyer read of an order. */
export function readOf(order: PlacedOrder): Read {
  return {
    causes: order.attention.map(({ reason }) => ({ reason, ...causeWords(order, reason) })),
    buyer: buyerSentence(order),
    situation: situationOf(order),
    paymentText: paymentText(order),
    dueCents: dueCents(order),
    toPayBackCents: toPayBackCents(order),
  }
}

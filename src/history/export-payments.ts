import { centsToText } from '../domain/money.ts'
import type { RecordedEvent } from '../event-store/event-log.ts'
import { type EventOf, isOf } from '../projections/projection.ts'
import type { Column, Row, Value } from './columns.ts'

export const paymentColumns: readonly Column[] = [
  { name: 'position', type: 'integer', says: 'of the event; a refund of several receipts has a row for each' },
  { name: 'at', type: 'timestamp', says: 'when it happened' },
  { name: 'day', type: 'date', says: "the same on the shop's own calendar" },
  { name: 'orderId', type: 'text', says: 'the order' },
  { name: 'kind', type: 'text', says: '`requested`, `received`, `failed`, `reversed`, `refunded`' },
  { name: 'attempt', type: 'integer', says: 'which of the payments of the order, from 1' },
  { name: 'method', type: 'text', says: 'requested: `paypal`, `crypto` or `upi`' },
  { name: 'provider', type: 'text', says: 'requested and received: who takes the money' },
  { name: 'receiptId', type: 'text', says: 'received, reversed and refunded: which money' },
  {
    name: 'amountCents',
    type: 'integer',
    says: 'in US cents: asked of the total, received, or (below zero) reversed or refunded',
  },
  {
    name: 'revenueCents',
    type: 'integer',
    says: 'refunded: what the revenue lost by it, on the first row of the refund',
  },
  { name: 'amount', type: 'text', says: 'requested and received: in the currency of the payment, as decimal text' },
  { name: 'currency', type: 'text', says: 'of `amount`' },
  { name: 'reason', type: 'text', says: 'failed and refunded: why' },
]

const types = ['PaymentRequested', 'PaymentReceived', 'PaymentFailed', 'PaymentReversed', 'RefundRecorded'] as const

/** Others need not be decoded. */
export function isOfMoney({ type }: { readonly type: string }): boolean {
  return types.some((one) => one === type)
}

const names = paymentColumns.map(({ name }) => name)

/** The event's payments: no row, one, or one for each part of a refund. */
export function paymentRows(event: RecordedEvent, dayOf: (at: string) => string): Row[] {
  if (!isOf(types, event)) return []
  const { at, orderId } = event.data
  const place = { position: Number(event.position), at, day: dayOf(at), orderId }
  return moved(event).map((facts) => {
    const fields: Readonly<Record<string, Value>> = { ...place, ...facts }
    return names.map((name) => fields[name] ?? null)
  })
}

function moved({ type, data }: EventOf<(typeof types)[number]>): Record<string, Value>[] {
  switch (type) {
    case 'PaymentRequested': {
      const { attempt, method, provider, currency, coversCents, askedMinor } = data
      const amount = centsToText(askedMinor)
      return [{ kind: 'requested', attempt, method, provider, currency, amountCents: coversCents, amount }]
    }
    case 'PaymentReceived': {
      const { attempt, provider, receiptId, addedCents, amount, currency } = data
      return [{ kind: 'received', attempt, provider, receiptId, amountCents: addedCents, amount, currency }]
    }
    case 'PaymentFailed':
      return [{ kind: 'failed', attempt: data.attempt, reason: data.reason }]
    case 'PaymentReversed':
      return [{ kind: 'reversed', receiptId: data.receiptId, amountCents: -data.takenCents }]
    case 'RefundRecorded':
      return data.parts.map(({ receiptId, amountCents }, index) => ({
        kind: 'refunded',
        receiptId,
        amountCents: -amountCents,
        revenueCents: index === 0 ? -data.revenueCents : 0,
        reason: data.reason,
      }))
  }
}

import { centsToText } from '#money'
import type { Order, RefundReason } from '#contract/order.ts'
import { plainText } from '#contract/typed-text.ts'
import { useState } from 'react'
import { recordRefund } from '../../../api/admin.ts'
import { ApiError } from '../../../api/client.ts'
import { hasUnsent, useUnsent } from '../../../api/staff-session.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Field, Select } from '../../../components/ui/field.tsx'
import { Notice } from '../../../components/ui/notice.tsx'
import { toast } from '../../../components/ui/use-action.ts'
import { centsOf, usd } from '../../../lib/format.ts'
import { randomKey } from '../../../lib/random-key.ts'
import { type Problems, useForm } from '../../../components/ui/use-form.ts'
import { CoinsGivenChoice } from './coins-given-choice.tsx'
import { SendRefundForm, sendable } from './send-refund-form.tsx'
import { asksIfGiven, isDisputed, isRefundAmount, paidWith, refundReasonFor, refundReasonNames } from './staff-words.ts'

type Name = 'amount' | 'reason' | 'whereTo' | 'receiptId' | 'coinsGiven'
type Typed = Readonly<Record<Name, string>>

export function refundForm({ id }: Pick<Order, 'id'>): string {
  return `refund of ${id}`
}

/** Pays back through the provider where the shop can, or records what staff have paid back themselves. */
export function RefundDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const receipts = sendable(order)
  const [isRecorded, setIsRecorded] = useState(() => receipts.length === 0 || hasUnsent(refundForm(order)))
  if (isRecorded) return <RecordDialog order={order} onClose={onClose} />
  return (
    <Dialog title={`Refund of order ${order.orderNumber}`} onClose={onClose}>
      <SendRefundForm order={order} receipts={receipts} onRecord={() => setIsRecorded(true)} onClose={onClose} />
    </Dialog>
  )
}

/** The server refuses if the order has changed since the dialog opened. */
function RecordDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  // One key per dialog: a repeated request records one refund.
  const [key] = useState(randomKey)
  const unsent = useUnsent<Typed>(refundForm(order))
  // The excess of an over-payment, else all that is held; nothing while the provider may take the money itself.
  const preset = isDisputed(order) ? '' : centsToText(order.toPayBackCents || order.paidCents)
  const leftCents = order.paidCents - centsOf(plainText(unsent[0]?.amount ?? preset))
  const { form, problems, isBusy } = useForm<Name>({
    unsent,
    check: problemsOf,
    act: async (typed) => {
      try {
        await recordRefund(order.id, refundFrom(typed, order), key)
        toast('Refund noted', `${usd(centsOf(plainText(typed.amount)))} of order ${order.orderNumber}.`)
        onClose()
      } catch (error) {
        // The order behind the dialog shows the change.
        if (error instanceof ApiError && error.code === 'order/changed') onClose()
        throw error
      }
    },
    fields: {
      'order/coins-given-unknown': 'coinsGiven',
      'order/refund-too-large': 'amount',
      'order/buyer-unreadable': 'whereTo',
    },
    failure: 'Not noted',
  })
  return (
    <Dialog title={`Refund of order ${order.orderNumber}`} onClose={() => !isBusy && onClose()}>
      <form {...form} className="grid gap-5 text-sm" noValidate>
        <Notice tone="wait" title="Nothing is sent">
          Pay it back at the payment provider first, then note it here. A buyer whose coins were not handed over reads
          &lsquo;Refunded&rsquo;.
        </Notice>
        <Field
          id="refund-amount"
          name="amount"
          inputClassName="min-h-9"
          label="Amount in dollars"
          hint={`${heldText(order)}${leftCents >= 0 ? `; this leaves ${usd(leftCents)}` : ''}.`}
          inputMode="decimal"
          autoComplete="off"
          defaultValue={preset}
          error={problems['amount']}
        />
        <ReceiptChoice order={order} />
        <Select label="Reason" name="reason" options={refundReasonNames} defaultValue={refundReasonFor(order)} />
        <Field
          id="refund-where-to"
          name="whereTo"
          inputClassName="min-h-9"
          label="Where to (optional)"
          hint="An address, an account, a transaction. It is erased with the buyer."
          autoComplete="off"
          maxLength={500}
          error={problems['whereTo']}
        />
        {asksIfGiven(order) && !(leftCents >= centsOf(order.totalAmount)) && (
          <CoinsGivenChoice error={problems['coinsGiven']} />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="small" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="small" kind="primary" pending={isBusy && 'Noting...'}>
            Note refund
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Asks which of several payments was refunded. */
function ReceiptChoice({ order }: { order: Order }) {
  const receipts = order.receipts?.filter(({ heldCents }) => heldCents > 0) ?? []
  if (receipts.length < 2) return null
  const names = receipts.map(({ receiptId, method, heldCents }) => [
    receiptId,
    `${usd(heldCents)} by ${paidWith(method)}, ${receiptId}`,
  ])
  return (
    <Select
      label="Payment"
      name="receiptId"
      options={{ '': 'The newest first', ...(Object.fromEntries(names) as Record<string, string>) }}
      defaultValue=""
    />
  )
}

function heldText({ paidCents, paid }: Order): string {
  const feeCents = paid === null ? 0 : centsOf(paid.fee)
  return `${usd(paidCents)} of this order is held${feeCents > 0 ? `, without the fee of ${usd(feeCents)}` : ''}`
}

function problemsOf({ amount }: Typed): Problems {
  return isRefundAmount(amount) ? {} : { amount: 'This is not an amount.' }
}

function refundFrom({ amount, reason, whereTo, receiptId, coinsGiven }: Typed, { revision }: Order) {
  return {
    revision,
    amountCents: centsOf(plainText(amount)),
    reason: reason as RefundReason,
    whereTo,
    ...(receiptId && { receiptId }),
    ...(coinsGiven && { coinsGiven: coinsGiven === 'true' }),
  }
}

import { centsToText } from '#money'
import type { Order, RefundReason } from '#contract/order.ts'
import { plainText } from '#contract/typed-text.ts'
import { useState } from 'react'
import { sendRefund } from '../../../api/admin.ts'
import { ApiError } from '../../../api/client.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Field, Select } from '../../../components/ui/field.tsx'
import { Notice } from '../../../components/ui/notice.tsx'
import { toast } from '../../../components/ui/use-action.ts'
import { type Problems, useForm } from '../../../components/ui/use-form.ts'
import { centsOf, money } from '../../../lib/format.ts'
import { randomKey } from '../../../lib/random-key.ts'
import { CoinsGivenChoice } from './coins-given-choice.tsx'
import { refundOutcome } from './pay-back.ts'
import { providerName } from './provider-names.ts'
import { asksIfGiven, isDisputed, isRefundAmount, refundReasonFor, refundReasonNames } from './staff-words.ts'

type Name = 'receiptId' | 'amount' | 'reason' | 'coinsGiven'
type Receipt = NonNullable<Order['receipts']>[number] & { readonly leftToSend: string }

/** What the shop can send back through its providers, the newest first. */
export function sendable({ receipts = [], ...order }: Order): Receipt[] {
  const left = receipts.filter((one): one is Receipt => one.leftToSend !== null && centsOf(one.leftToSend) > 0)
  return isDisputed(order) ? [] : left.toReversed()
}

interface SendRefundFormProps {
  order: Order
  receipts: readonly Receipt[]
  onRecord: () => void
  onClose: () => void
}

/** Pays money back through the provider of a payment. The server refuses if the order has changed since the form opened. */
export function SendRefundForm({ order, receipts, onRecord, onClose }: SendRefundFormProps) {
  // One key per form: a repeated request sends one refund.
  const [key] = useState(randomKey)
  const [receiptId, setReceiptId] = useState(receipts[0]?.receiptId)
  const receipt = receipts.find((one) => one.receiptId === receiptId) ?? receipts[0]
  const [amount, setAmount] = useState(() => presetOf(receipt))
  const { currency = 'USD', leftToSend = '0', provider = '' } = receipt ?? {}
  const leftText = (cents: number) => money({ amount: centsToText(cents), currency })
  const cents = centsOf(plainText(amount))
  const stays = centsOf(leftToSend) - cents
  const name = providerName(provider)
  const { form, problems, isBusy } = useForm<Name>({
    check: ({ amount: typed }): Problems => (isRefundAmount(typed) ? {} : { amount: 'This is not an amount.' }),
    act: async ({ amount: typed, reason, coinsGiven }) => {
      try {
        const wish = { receiptId: receipt?.receiptId ?? '', amount: plainText(typed), reason: reason as RefundReason }
        const given = coinsGiven ? { coinsGiven: coinsGiven === 'true' } : {}
        sayOutcome(
          await sendRefund(order.id, { revision: order.revision, ...wish, ...given }, key),
          leftText(cents),
          name,
        )
        onClose()
      } catch (error) {
        // The order behind the dialog shows the change.
        if (error instanceof ApiError && error.code === 'order/changed') onClose()
        throw error
      }
    },
    fields: { 'order/coins-given-unknown': 'coinsGiven', 'order/refund-too-large': 'amount' },
    failure: 'Not paid back',
  })
  return (
    <form {...form} className="grid gap-5 text-sm" noValidate>
      <WhereTo receipt={receipt} />
      <PaymentChoice
        receipts={receipts}
        chosen={receipt}
        onChange={(id) => {
          setReceiptId(id)
          setAmount(presetOf(receipts.find((one) => one.receiptId === id)))
        }}
      />
      <Field
        id="refund-amount"
        name="amount"
        inputClassName="min-h-9"
        label={currency === 'INR' ? 'Amount in rupees' : 'Amount in dollars'}
        hint={`${leftText(centsOf(leftToSend))} can be paid back${stays >= 0 ? `; this leaves ${leftText(stays)}` : ''}.`}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        onChange={({ target }) => setAmount(target.value)}
        error={problems['amount']}
      />
      <Select label="Reason" name="reason" options={refundReasonNames} defaultValue={refundReasonFor(order)} />
      {asksIfGiven(order) && amount !== receipt?.dueToSend && <CoinsGivenChoice error={problems['coinsGiven']} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="small" disabled={isBusy} onClick={onRecord}>
          Only record it
        </Button>
        <Button size="small" disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size="small" kind="primary" pending={isBusy && 'Paying back...'}>
          Pay back {isRefundAmount(amount) ? leftText(cents) : ''}
        </Button>
      </div>
    </form>
  )
}

function WhereTo({ receipt }: { receipt: Receipt | undefined }) {
  const { provider = '', receiptId } = receipt ?? {}
  return (
    <Notice title={`Sent through ${providerName(provider)}`}>
      <p className="wrap-anywhere">
        To the payer of payment {receiptId}. There is no way back.
        {provider === 'paypal' && ' PayPal keeps the fee that it charged the shop.'}
      </p>
    </Notice>
  )
}

interface PaymentChoiceProps {
  receipts: readonly Receipt[]
  chosen: Receipt | undefined
  onChange: (receiptId: string) => void
}

function PaymentChoice({ receipts, chosen, onChange }: PaymentChoiceProps) {
  if (receipts.length < 2) return null
  const names = receipts.map(({ receiptId, leftToSend: amount, currency }) => [
    receiptId,
    `${money({ amount, currency })}, ${receiptId}`,
  ])
  return (
    <Select
      label="Payment"
      name="receiptId"
      value={chosen?.receiptId}
      options={Object.fromEntries(names) as Record<string, string>}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

/** What is to be paid back of it, else all that is left. */
function presetOf(receipt: Receipt | undefined): string {
  if (!receipt) return ''
  return receipt.dueToSend !== null && centsOf(receipt.dueToSend) > 0 ? receipt.dueToSend : receipt.leftToSend
}

function sayOutcome(order: Order, amount: string, provider: string): void {
  const outcome = refundOutcome(order)
  if (outcome?.type === 'RefundFailed') toast('Not paid back', outcome.text, { destructive: true })
  else if (outcome?.type === 'RefundRecorded') toast('Paid back', `${amount} of order ${order.orderNumber}.`)
  else toast('Being paid back', `${provider} has not answered yet. The shop goes on asking.`)
}

import type { SettleUnplaced, UnplacedPayment } from '#contract/provider.ts'
import { CircleDollarSign } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { settleUnplaced, useUnplaced } from '../../api/admin.ts'
import { Button } from '../../components/ui/button.tsx'
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx'
import { CopyIcon } from '../../components/ui/copy-button.tsx'
import { LoadError } from '../../components/ui/loaded.tsx'
import { type Column, Facts } from '../../components/ui/table.tsx'
import { Time } from '../../components/ui/time.tsx'
import { toast } from '../../components/ui/toast.ts'
import { useAction } from '../../components/ui/use-action.ts'
import { count } from '../../lib/format.ts'
import { providerName } from './provider-words.ts'
import { searchAt, useAsOf } from './use-as-of.ts'
import { atLeast } from './words.ts'

const facts: readonly Column<UnplacedPayment>[] = [
  { name: 'Came', cell: ({ at }) => <Time iso={at} /> },
  { name: 'Payment id', cell: ({ receiptId }) => <Copied text={receiptId} what="payment id" /> },
  { name: 'Reference', cell: ({ reference }) => <Copied text={reference} what="reference" /> },
]

function Copied({ text, what }: { text: string; what: string }) {
  return (
    <>
      <span className="font-mono">{text}</span> <CopyIcon text={text} what={`${what} ${text}`} />
    </>
  )
}

/** Money whose order is not in the log, now or as of the day shown. Renders nothing without any. */
export function UnplacedList({ isOneLine }: { isOneLine: boolean }) {
  const asOf = useAsOf()
  const { data, error, mutate } = useUnplaced(asOf)
  const [asked, setAsked] = useState<UnplacedPayment>()
  const heading = useRef<HTMLHeadingElement>(null)
  const wasAsked = useRef(false)
  // The pressed button disappears with its row.
  useEffect(() => {
    if (asked !== undefined) wasAsked.current = true
    else if (wasAsked.current && document.activeElement === document.body) {
      wasAsked.current = false
      heading.current?.focus({ preventScroll: true })
    }
  }, [asked, data])
  const isEmpty = data === undefined || data.payments.length === 0
  return (
    <>
      {isEmpty && error !== undefined && (
        <LoadError title="Payments without an order could not be loaded" error={error} onRetry={mutate} />
      )}
      {!isEmpty && (
        <section
          aria-labelledby="unplaced-heading"
          className="overflow-hidden rounded-surface border border-amber-edge bg-amber-soft"
        >
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2 sm:px-4">
            <h2 ref={heading} tabIndex={-1} id="unplaced-heading" className="flex items-center gap-2 text-base">
              <CircleDollarSign aria-hidden="true" className="size-5 flex-none" />
              {atLeast(data.total, 'payment')} without an order
            </h2>
            {isOneLine && (
              <Link className="link inline-flex min-h-6 items-center" to={`/admin${searchAt(asOf)}`} replace>
                Show {data.total === 1 ? 'it' : 'them'}
              </Link>
            )}
          </div>
          {!isOneLine && (
            <div className="border-t border-amber-edge bg-surface">
              <p className="px-3 pt-2 text-muted sm:px-4">
                {asOf === undefined
                  ? 'Money came under a reference of this shop, but its order is not here: events of the shop were lost. Look it up at the provider, then pay it back or give the coins, and settle it.'
                  : 'Money had come under a reference of this shop, but its order was not here, and nobody had settled it.'}
              </p>
              <ul className="divide-y divide-line">
                {data.payments.map((payment) => (
                  <Row
                    key={`${payment.provider} ${payment.receiptId}`}
                    payment={payment}
                    onSettle={asOf === undefined ? () => setAsked(payment) : undefined}
                  />
                ))}
              </ul>
              {data.next !== null && (
                <p className="border-t border-line px-3 py-2 text-muted sm:px-4">
                  The {count(data.payments.length)} oldest are shown
                  {asOf === undefined && '; the others follow as these are settled'}.
                </p>
              )}
            </div>
          )}
        </section>
      )}
      {asked !== undefined && <SettleDialog payment={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function Row({ payment, onSettle }: { payment: UnplacedPayment; onSettle: (() => void) | undefined }) {
  const { provider, receiptId, amount, currency } = payment
  return (
    <li className="grid gap-1 px-3 py-2.5 sm:px-4 [&_dd]:min-h-7 [&_dd]:content-center [&_dt]:flex [&_dt]:min-h-7 [&_dt]:items-center [&_dt]:self-start">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <strong className="tabular min-w-0 wrap-anywhere">
          {amount} {currency.toUpperCase()} by {providerName(provider)}
        </strong>
        {onSettle && (
          <Button size="small" aria-label={`Settle payment ${receiptId}`} onClick={onSettle}>
            Settle
          </Button>
        )}
      </div>
      <Facts columns={facts} row={payment} />
    </li>
  )
}

const outcomes: Readonly<Record<SettleUnplaced['outcome'], string>> = {
  'paid-back': 'It was paid back at the provider',
  'coins-given': 'Its buyer got the coins',
  'nothing-owed': 'Nothing is owed',
}

function SettleDialog({ payment, onClose }: { payment: UnplacedPayment; onClose: () => void }) {
  const { provider, receiptId, amount, currency } = payment
  const [outcome, setOutcome] = useState<SettleUnplaced['outcome']>('paid-back')
  const settle = useAction(async () => {
    await settleUnplaced({ provider, receiptId, outcome })
    toast('Payment Settled', `Payment ${receiptId} has left the list.`)
    onClose()
  }, 'Not settled')
  return (
    <ConfirmDialog
      title="Settle this payment?"
      action="Settle"
      kind="primary"
      pending={settle.isBusy && 'Settling...'}
      onConfirm={settle.run}
      onClose={onClose}
    >
      <p className="wrap-anywhere">
        <strong className="tabular">
          {amount} {currency.toUpperCase()}
        </strong>{' '}
        by {providerName(provider)}, payment {receiptId}
      </p>
      <fieldset className="grid gap-1">
        <legend className="pb-1 font-medium">What was done</legend>
        {Object.entries(outcomes).map(([one, text]) => (
          <label key={one} className="flex min-h-9 items-center gap-2">
            <input
              type="radio"
              name="outcome"
              className="size-4.5"
              checked={outcome === one}
              onChange={() => setOutcome(one as SettleUnplaced['outcome'])}
            />
            {text}
          </label>
        ))}
      </fieldset>
      <p>It then pays no order any more. There is no way back.</p>
    </ConfirmDialog>
  )
}

import { buyerTextNames, buyerTexts } from '#contract/buyer.ts'
import type { Order } from '#contract/order.ts'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router-dom'
import { useOrderAt } from '../../../api/admin.ts'
import { isMissing } from '../../../api/client.ts'
import { feeCentsIn } from '../../../api/orders.ts'
import { hasUnsent } from '../../../api/staff-session.ts'
import { useUpdates } from '../../../api/updates.ts'
import { Button } from '../../../components/ui/button.tsx'
import { useSold } from '../../../api/shop.ts'
import { CopyButton } from '../../../components/ui/copy-button.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Line } from '../../../components/ui/figure.tsx'
import { Loaded, StaleNote } from '../../../components/ui/loaded.tsx'
import { Notice } from '../../../components/ui/notice.tsx'
import { type Column, inCard, Table } from '../../../components/ui/table.tsx'
import { Timeline } from '../../../components/ui/timeline.tsx'
import { centsOf, inrOf, millions, money, timeInZone, usd } from '../../../lib/format.ts'
import { TitledCard } from '../../../components/ui/titled-card.tsx'
import { type PendingAction, ActionDialog, NextAction } from '../shared/order-actions.tsx'
import { refundForm } from '../shared/refund-dialog.tsx'
import { sendable } from '../shared/send-refund-form.tsx'
import { orderColumns } from '../shared/order-table.tsx'
import { BlockBuyer } from '../shared/block-buyer.tsx'
import { OrderState } from '../shared/order-state.tsx'
import { Evidence } from './evidence.tsx'
import { useAsOf, useCloseOrder } from '../shared/use-as-of.ts'
import {
  actorNames,
  causeNames,
  dayName,
  paidWith,
  refundReasonNames,
  transactionsTitle,
} from '../shared/staff-words.ts'

export function OrderDialog() {
  const { orderId = '' } = useParams()
  const asOf = useAsOf()
  const response = useOrderAt(orderId, asOf)
  const { data: order, error } = response
  useUpdates([], asOf === undefined ? orderId : undefined)
  const close = useCloseOrder()
  if (order === undefined && isMissing(error))
    return (
      <Dialog title="Order Not Found" onClose={close}>
        <p className="text-sm wrap-anywhere">
          Order {orderId} could not be found{asOf !== undefined && ` as of the end of ${dayName(asOf)}`}.
        </p>
      </Dialog>
    )
  return (
    <Dialog
      title={order === undefined ? 'Order Details' : `Order Details - ${order.orderNumber}`}
      description={
        asOf === undefined
          ? 'Complete information about this order'
          : `As of the end of ${dayName(asOf)}, read only. The buyer as known today.`
      }
      onClose={close}
      width="6xl"
    >
      {order !== undefined && <StaleNote error={error} />}
      <div className="text-sm">
        <Loaded response={response} loading="Loading order..." failure="This order could not be loaded">
          {(loaded) => <Sections order={loaded} isPast={asOf !== undefined} onClose={close} />}
        </Loaded>
      </div>
    </Dialog>
  )
}

function Sections({ order, isPast, onClose }: { order: Order; isPast: boolean; onClose: () => void }) {
  const [pending, setPending] = useState<PendingAction | undefined>(() =>
    hasUnsent(refundForm(order)) ? { to: 'refund', order } : undefined,
  )
  const block = !isPast && <BlockBuyer order={order} />
  // A lost dispute offers it where it asks for a person.
  const offersBlock = order.attention !== null && order.hasLostDispute === true
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <AttentionNotice order={order} onSettle={() => setPending({ to: 'settle', orders: [order] })}>
        {offersBlock && block}
      </AttentionNotice>
      <div className="-mb-5 gap-5 md:columns-2 [&>section]:mb-5 [&>section]:break-inside-avoid">
        <TitledCard title="Order Information">
          <OrderFacts order={order} />
        </TitledCard>
        <TitledCard title="Customer Information">
          {order.isUnreadable && (
            <Notice tone="wait">
              The vault does not know this buyer&apos;s key. Put the vault&apos;s newest copy back (docs/operations.md,
              Restore).
            </Notice>
          )}
          <CustomerFacts order={order} />
          {!offersBlock && block}
        </TitledCard>
        <TitledCard title="Items">
          <Table
            columns={itemColumns}
            rows={[order]}
            className={inCard}
            line={({ pokecoinAmount, totalAmount }) => (
              <p>
                <Product />: {millions(pokecoinAmount)}, {usd(centsOf(totalAmount))}
              </p>
            )}
          />
        </TitledCard>
        <TitledCard title={transactionsTitle(order.paymentMethod)}>
          <Transaction order={order} />
        </TitledCard>
        <TitledCard title="Timeline">
          <Timeline events={order.events ?? []} actors={actorNames} />
        </TitledCard>
        {(order.receipts?.length || order.status === 'completed') && <Evidence order={order} />}
      </div>
      {!isPast && (!order.deleted || order.may.refund) && (
        <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-paper px-5 py-3">
          {!order.deleted && (
            <Button size="small" kind="danger" onClick={() => setPending({ to: 'delete', orders: [order] })}>
              Delete
            </Button>
          )}
          {order.may.refund && (
            <Button size="small" onClick={() => setPending({ to: 'refund', order })}>
              {sendable(order).length > 0 ? 'Pay back' : 'Note a refund'}
            </Button>
          )}
          <NextAction order={order} kind="primary" onAction={setPending} />
        </div>
      )}
      <ActionDialog
        pending={pending}
        onDone={pending?.to === 'delete' ? onClose : undefined}
        onClose={() => setPending(undefined)}
      />
    </div>
  )
}

interface AttentionNoticeProps {
  order: Order
  onSettle: () => void
  children: ReactNode
}

function AttentionNotice({ order, onSettle, children }: AttentionNoticeProps) {
  if (order.attention === null) return null
  return (
    <Notice tone="wait" title="This order needs a person">
      <ul className="grid gap-1.5">
        {order.attention.forStaff?.map(({ name, advice, page }, index) => (
          <li key={name}>
            <strong>{causeNames(order)[index]}.</strong> {advice}{' '}
            <span className="text-muted">More in docs/{page}.</span>
          </li>
        ))}
      </ul>
      <p className="tabular-nums">
        Held {usd(order.paidCents)} of {usd(centsOf(order.totalAmount))}
        {order.dueCents > 0 && `, missing ${usd(order.dueCents)}`}
        {order.toPayBackCents > 0 && `, to be paid back ${usd(order.toPayBackCents)}`}, since{' '}
        {timeInZone(order.attention.since)}.
      </p>
      {children}
      {order.may.settle && (
        <p>
          <Button size="small" onClick={onSettle}>
            Settle...
          </Button>
        </p>
      )}
    </Notice>
  )
}

function OrderFacts({ order }: { order: Order }) {
  const totalCents = centsOf(order.totalAmount)
  const feeCents = feeCentsIn(order)
  const isCompleted = order.status === 'completed'
  const completedAt = order.events?.findLast(({ type }) => type === 'OrderCompleted')?.at
  const changedAt = (isCompleted ? completedAt : undefined) ?? order.updatedAt
  return (
    <Facts>
      <Line label="ID">
        <span className="mr-2 font-mono wrap-anywhere">{order.id}</span>
        <CopyButton text={order.id} what="order ID" size="small" kind="quiet" className="-my-1.5 -mr-3 align-middle" />
      </Line>
      <Line label="Status">
        <OrderState order={order} />
      </Line>
      <Line label="Payment Method">{paidWith(order.paymentMethod)}</Line>
      <Line label="Subtotal">{usd(totalCents)}</Line>
      {feeCents > 0 && <Line label={`${paidWith(order.paymentMethod)} fee`}>{usd(feeCents)}</Line>}
      <Line label="Total Price">
        <strong>{usd(totalCents + feeCents)}</strong>
      </Line>
      <Line label="Created At">{timeInZone(order.createdAt)}</Line>
      {changedAt !== null && <Line label={isCompleted ? 'Completed At' : 'Updated At'}>{timeInZone(changedAt)}</Line>}
      {order.preOrder && <Line label="Pre-order">Yes</Line>}
    </Facts>
  )
}

function CustomerFacts({ order }: { order: Order }) {
  return (
    <Facts>
      {buyerTextNames
        .filter((name) => order[name] !== '')
        .map((name) => (
          <Line key={name} label={buyerTexts[name].label}>
            {order[name]}
          </Line>
        ))}
      {order.marketIds.length <= 1 ? (
        <Line label="Market ID">
          <span className="font-mono">{order.marketId}</span>
        </Line>
      ) : (
        <Line label={`Market IDs (${order.marketIds.length})`}>
          <ol className="list-inside list-decimal columns-2 gap-x-6 max-sm:columns-1">
            {order.marketIds.map(({ marketId, amount }, index) => (
              <li key={`${index}-${marketId}`} className="tabular-nums text-muted">
                <span className="font-mono text-ink">{marketId}</span> ({millions(amount)})
              </li>
            ))}
          </ol>
        </Line>
      )}
    </Facts>
  )
}

function Product() {
  return useSold().product
}

const itemColumns: readonly Column<Order>[] = [
  { name: 'Product', cell: () => <Product /> },
  { ...orderColumns.coins, name: 'Quantity', head: 'Quantity' },
  { ...orderColumns.amount, name: 'Price' },
]

function Transaction({ order }: { order: Order }) {
  const { paymentMethod, payment, paid, transactionData } = order
  if (transactionData === null) return <p className="text-muted">No transaction data available</p>
  const totalCents = centsOf(order.totalAmount)
  const startedAt = order.events?.findLast(({ type }) => type === 'PaymentStarted')?.at ?? order.createdAt
  const isConfirmed = transactionData.status === 'received' || transactionData.status === 'refunded'
  return (
    <Facts>
      <Line label="Payment ID">
        <span className="font-mono">{transactionData.id}</span>
      </Line>
      <Line label="Amount">
        {usd(totalCents + feeCentsIn(order))}
        {paymentMethod === 'upi' && ` (${inrOf(totalCents, order.inrPerUsd)})`}
        {paymentMethod === 'crypto' && payment !== null && ` (${money(payment)})`}
      </Line>
      <Line label="Confirmed">{isConfirmed ? 'Yes' : 'No'}</Line>
      {paid !== null && <Line label="Paid">{money(paid)}</Line>}
      <Line label={feeCentsIn(order) > 0 ? 'Held, without the fee' : 'Held'}>{usd(order.paidCents)}</Line>
      {order.refunds?.map(({ amountCents, reason, whereTo, sent, at }) => (
        <Line key={at} label={`Refunded ${timeInZone(at)}`}>
          {usd(amountCents)}
          <span className="block text-muted wrap-anywhere">
            {refundReasonNames[reason]}
            {whereTo !== null && `, to ${whereTo}`}
            {sent !== null && (sent.isPending ? ', sent, under way' : ', sent')}
          </span>
        </Line>
      ))}
      <Line label="Created">{timeInZone(startedAt)}</Line>
    </Facts>
  )
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line [&_dd]:font-normal">{children}</dl>
}

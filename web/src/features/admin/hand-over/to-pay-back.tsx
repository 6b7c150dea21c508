import type { Order } from '#contract/order.ts'
import RotateCcw from 'lucide:rotate-ccw-clock'
import { useState } from 'react'
import { useToPayBack } from '../../../api/admin.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Table } from '../../../components/ui/table.tsx'
import { count } from '../../../lib/format.ts'
import { type PendingAction, ActionDialog } from '../shared/order-actions.tsx'
import { orderColumns, OrderLine, tickColumn } from '../shared/order-table.tsx'
import { canPayBack, causeText, dueText, payBackProvider, totalsToPayBack } from '../shared/pay-back.ts'
import { matching } from '../shared/staff-words.ts'
import { searchAt, useAsOf } from '../shared/use-as-of.ts'
import { DeskSection } from './desk-section.tsx'
import { Waiting } from './waiting.tsx'

/** Orders that hold more money than the shop may keep, oldest first. Renders nothing if there are none. */
export function ToPayBack() {
  const asOf = useAsOf()
  const [pending, setPending] = useState<PendingAction>()
  const onAction = asOf === undefined ? setPending : undefined
  return (
    <>
      <Waiting
        response={useToPayBack(asOf)}
        isEmpty={({ orders }) => orders.length === 0}
        failure="The orders to pay back could not be loaded"
      >
        {(data) => {
          const isOne = data.filtered === 1 && data.filteredIsExact
          return (
            <DeskSection
              id="to-pay-back"
              icon={RotateCcw}
              title={isOne ? '1 order to pay back' : `${matching(data)} orders to pay back`}
              head={<p className="tabular-nums text-muted">{totalsToPayBack(data.orders)}</p>}
              link={{ to: `/admin/orders${searchAt(asOf, { toPayBack: 'true' })}`, text: 'Show as a list' }}
            >
              <Rows orders={data.orders} onAction={onAction} />
            </DeskSection>
          )
        }}
      </Waiting>
      <ActionDialog pending={pending} onClose={() => setPending(undefined)} />
    </>
  )
}

interface RowsProps {
  orders: readonly Order[]
  /** Undefined for a past day, which is read only. */
  onAction: ((pending: PendingAction) => void) | undefined
}

function Rows({ orders, onAction }: RowsProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const selected = orders.filter((order) => ticked.has(order.id) && canPayBack(order))
  const ticks = onAction && {
    ticked,
    onTick: ({ id }: Order, isTicked: boolean) => {
      const others = [...ticked].filter((one) => one !== id)
      setTicked(new Set(isTicked ? [...others, id] : others))
    },
  }
  const action = (order: Order) => onAction && <PayBackButton order={order} onAction={onAction} />
  return (
    <div className="border-t border-line">
      <Table
        columns={[
          ...(ticks ? [tickColumn(ticks)] : []),
          orderColumns.number,
          { name: 'Because', className: 'w-auto', cell: causeText },
          { name: 'Held by', cell: payBackProvider },
          { name: 'To pay back', className: 'text-right', cellClassName: 'tabular-nums', cell: dueText },
          ...(onAction ? [{ name: 'Action', className: 'w-40', cell: action }] : []),
        ]}
        rows={orders}
        className="[&_td]:px-2 [&_th]:px-2"
        line={(order) => (
          <OrderLine order={order} ticks={ticks} action={action(order)}>
            <p>{causeText(order)}</p>
            <p>{payBackProvider(order)}</p>
          </OrderLine>
        )}
      />
      {selected.length > 1 && (
        <div className="flex justify-end border-t border-line px-3 py-2">
          <Button size="small" kind="primary" onClick={() => onAction?.({ to: 'payBack', orders: selected })}>
            Pay back ({count(selected.length)})
          </Button>
        </div>
      )}
    </div>
  )
}

function PayBackButton({ order, onAction }: { order: Order; onAction: (pending: PendingAction) => void }) {
  const isSent = canPayBack(order)
  return (
    <Button
      size="small"
      className="min-h-8 px-2 py-0.5 whitespace-nowrap"
      onClick={() => onAction(isSent ? { to: 'payBack', orders: [order] } : { to: 'refund', order })}
    >
      {isSent ? `Pay back ${dueText(order)}` : 'Record refund'}
      <span className="sr-only"> order {order.orderNumber}</span>
    </Button>
  )
}

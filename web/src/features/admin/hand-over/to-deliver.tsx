import type { Order } from '#contract/order.ts'
import HandCoins from 'lucide:hand-coins'
import { useEffect, useRef, useState } from 'react'
import { useToDeliver } from '../../../api/admin.ts'
import { Button } from '../../../components/ui/button.tsx'
import { CopyIcon } from '../../../components/ui/copy-button.tsx'
import { Check } from '../../../components/ui/field.tsx'
import { LoadError, StaleNote } from '../../../components/ui/loaded.tsx'
import { Table } from '../../../components/ui/table.tsx'
import { Time } from '../../../components/ui/timeline.tsx'
import { useShopNow } from '../../../components/ui/deadline.tsx'
import { count } from '../../../lib/format.ts'
import { DeskSection } from './desk-section.tsx'
import { type PendingAction, ActionDialog, NextAction } from '../shared/order-actions.tsx'
import { amountOf, MarketIds, orderColumns, OrderLine, tickColumn, type Ticks } from '../shared/order-table.tsx'
import { searchAt, useAsOf } from '../shared/use-as-of.ts'
import { ageOf, atLeast } from '../shared/staff-words.ts'

const AGE_UPDATE_MS = 30_000

/** Paid orders for staff to deliver, oldest first; `endsAt` is the end of a past day. Renders nothing if there are none. */
export function ToDeliver({ isOneLine, endsAt }: { isOneLine: boolean; endsAt: string | undefined }) {
  const asOf = useAsOf()
  const { data, error, isValidating, mutate } = useToDeliver(asOf)
  const orders = data?.orders ?? []
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [pending, setPending] = useState<PendingAction>()
  const heading = useFocusAfter(pending !== undefined, data)
  const clock = useShopNow(AGE_UPDATE_MS)
  const now = endsAt === undefined ? clock : Date.parse(endsAt)
  const [oldest] = orders
  if (data === undefined || (oldest === undefined && error !== undefined)) {
    if (error === undefined) return null
    return <LoadError title="The orders to deliver could not be loaded" error={error} onRetry={mutate} />
  }

  const selects = asOf === undefined && orders.length > 1
  const selected = orders.filter(({ id }) => ticked.has(id))
  const choose = (chosen: readonly Order[]) => setTicked(new Set(chosen.map(({ id }) => id)))
  const onTick = (order: Order, isTicked: boolean) =>
    choose([...selected.filter((one) => one !== order), ...(isTicked ? [order] : [])])
  const ticks = selects ? { ticked, onTick } : undefined
  return (
    <>
      {oldest !== undefined && (
        <DeskSection
          id="to-deliver"
          heading={heading}
          icon={HandCoins}
          title={`${atLeast(data.total, 'order')} to deliver`}
          link={
            isOneLine ? { to: `/admin${searchAt(asOf)}`, text: `Show ${data.total === 1 ? 'it' : 'them'}` } : undefined
          }
          head={
            <>
              {oldest.ready !== null && (
                <p className={`tabular-nums text-muted ${isOneLine ? 'max-sm:hidden' : ''}`}>
                  {data.total === 1 ? 'waiting' : 'the oldest waiting'} for {ageOf(oldest.ready.since, now)}
                </p>
              )}
              {error !== undefined && <StaleNote error={error} />}
              {!isOneLine && selects && (
                <Selected
                  selected={selected}
                  of={orders}
                  choose={choose}
                  onDeliver={() => setPending({ to: 'deliver', orders: selected })}
                />
              )}
            </>
          }
        >
          {!isOneLine && (
            <div
              className="relative max-h-[60vh] overflow-auto border-t border-line"
              tabIndex={0}
              role="region"
              aria-label="To deliver"
              aria-busy={isValidating}
            >
              <Rows orders={orders} now={now} ticks={ticks} onAction={asOf === undefined ? setPending : undefined} />
              {data.next !== null && (
                <p className="tabular-nums border-t border-line px-3 py-2 text-muted sm:px-4">
                  The {count(orders.length)} oldest are shown; the others follow as these are delivered.
                </p>
              )}
            </div>
          )}
        </DeskSection>
      )}
      <ActionDialog pending={pending} onClose={() => setPending(undefined)} />
    </>
  )
}

interface SelectedProps {
  selected: readonly Order[]
  of: readonly Order[]
  choose: (chosen: readonly Order[]) => void
  onDeliver: () => void
}

function Selected({ selected, of, choose, onDeliver }: SelectedProps) {
  return (
    <div className="ml-auto flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 max-sm:w-full max-sm:justify-between">
      <Check
        checked={selected.length === of.length}
        onChange={(event) => choose(event.currentTarget.checked ? of : [])}
      >
        Select all shown
      </Check>
      {selected.length > 0 && (
        <Button size="small" kind="primary" onClick={onDeliver}>
          Mark delivered ({count(selected.length)})
        </Button>
      )}
    </div>
  )
}

/** Moves the focus to the heading when the pressed button disappears with its row. */
function useFocusAfter(isPending: boolean, data: unknown) {
  const heading = useRef<HTMLHeadingElement>(null)
  const wasPending = useRef(false)
  useEffect(() => {
    if (isPending) wasPending.current = true
    else if (wasPending.current && document.activeElement === document.body) {
      wasPending.current = false
      heading.current?.focus({ preventScroll: true })
    }
  }, [isPending, data])
  return heading
}

interface RowsProps {
  orders: readonly Order[]
  now: number
  ticks: Ticks | undefined
  /** Undefined for a past day, which is read only. */
  onAction: ((pending: PendingAction) => void) | undefined
}

function Rows({ orders, now, ticks, onAction }: RowsProps) {
  const action = (order: Order) =>
    onAction && (
      <NextAction order={order} isNamed onAction={onAction} className="min-h-8 px-2 py-0.5 whitespace-nowrap" />
    )
  return (
    <Table
      columns={[
        ...(ticks ? [tickColumn(ticks)] : []),
        orderColumns.number,
        {
          name: 'Waiting',
          className: 'w-20 text-right',
          cellClassName: 'tabular-nums whitespace-nowrap',
          cell: ({ ready }) => ready && <Time iso={ready.since}>{ageOf(ready.since, now)}</Time>,
        },
        { name: 'Amount', className: 'w-34', cellClassName: 'tabular-nums whitespace-nowrap', cell: amountOf },
        { name: 'Discord', className: 'w-auto', cell: (order) => <ChatName order={order} /> },
        { ...orderColumns.coins, className: 'w-24 text-right' },
        { name: 'Market ID', className: 'w-56', cell: (order) => <MarketIds order={order} canCopy /> },
        ...(onAction ? [{ name: 'Action', className: 'w-40', cell: action }] : []),
      ]}
      rows={orders}
      className="table-fixed [&_td]:px-2 [&_th]:px-2"
      line={(order) => (
        <OrderLine order={order} ticks={ticks} action={action(order)}>
          <ChatName order={order} />
          <MarketIds order={order} canCopy />
        </OrderLine>
      )}
    />
  )
}

function ChatName({ order: { discordUsername, orderNumber, isUnreadable } }: { order: Order }) {
  return (
    <span className="flex max-w-full min-w-0 items-center gap-0.5 leading-6">
      <span className="min-w-0 truncate" title={discordUsername}>
        {discordUsername}
      </span>
      {!isUnreadable && <CopyIcon text={discordUsername} what={`chat name of order ${orderNumber}`} />}
    </span>
  )
}

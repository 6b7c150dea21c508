import type { Order } from '#contract/order.ts'
import PackageOpen from 'lucide:package-open'
import TriangleAlert from 'lucide:triangle-alert'
import type { ReactNode } from 'react'
import { useAttention, useUnplaced, useWaitingForStock } from '../../../api/admin.ts'
import { useSettings } from '../../../api/settings.ts'
import { LoadError } from '../../../components/ui/loaded.tsx'
import { Notice } from '../../../components/ui/notice.tsx'
import { type Column, Table } from '../../../components/ui/table.tsx'
import { Time } from '../../../components/ui/timeline.tsx'
import { millions } from '../../../lib/format.ts'
import { orderColumns, orderLine } from '../shared/order-table.tsx'
import { atLeast, causesOf, differenceOf, matching } from '../shared/staff-words.ts'
import { searchAt, useAsOf } from '../shared/use-as-of.ts'
import { DeskSection } from './desk-section.tsx'

interface WaitingProps<T> {
  response: { readonly data?: T | undefined; readonly error?: unknown; readonly mutate: () => unknown }
  isEmpty: (data: T) => boolean
  /** The title of the error. */
  failure: string
  children: (data: T) => ReactNode
}

/** Renders nothing while there is nothing, nor while it is loading. */
export function Waiting<T>({ response: { data, error, mutate }, isEmpty, failure, children }: WaitingProps<T>) {
  if (data !== undefined && !isEmpty(data)) return children(data)
  return error === undefined ? null : <LoadError title={failure} error={error} onRetry={mutate} />
}

const { number, discord, coins, amount, date } = orderColumns

const attentionColumns: readonly Column<Order>[] = [
  number,
  { name: 'Needs a person for', className: 'w-auto', cell: causesOf },
  discord,
  { ...amount, name: 'Difference', cell: differenceOf },
  {
    name: 'Since',
    cellClassName: 'tabular-nums whitespace-nowrap',
    cell: ({ attention }) => attention && <Time iso={attention.since} />,
  },
]

/** The orders that need attention; on narrow screens only how many. */
export function Attention({ isOneLine }: { isOneLine: boolean }) {
  const asOf = useAsOf()
  return (
    <Waiting
      response={useAttention(asOf)}
      isEmpty={({ orders }) => orders.length === 0}
      failure="The orders that need a person could not be loaded"
    >
      {(data) => {
        const isOne = data.filtered === 1 && data.filteredIsExact
        return (
          <DeskSection
            id="attention"
            icon={TriangleAlert}
            title={isOne ? '1 order needs a person' : `${matching(data)} orders need a person`}
            isUrgent
            link={{
              to: `/admin/orders${searchAt(asOf, { attention: 'any' })}`,
              text: isOneLine ? `Show ${isOne ? 'it' : 'them'}` : 'Show as a list',
            }}
          >
            {!isOneLine && (
              <div className="border-t border-amber-edge bg-surface max-[899px]:hidden">
                <Table columns={attentionColumns} rows={data.orders} className="[&_td]:px-3 [&_th]:px-3" />
              </div>
            )}
          </DeskSection>
        )
      }}
    </Waiting>
  )
}

/** Warns that no coins, or few, are left to sell. Else renders nothing. */
export function StockLeft() {
  const { data } = useSettings()
  if (data === undefined || data.currentStock > data.lowStockM) return null
  const title = data.currentStock === 0 ? 'Sold out' : `Low stock: ${millions(data.currentStock)} left`
  const link = { to: '/admin/settings', text: 'Set the stock' }
  return <DeskSection id="stock" icon={PackageOpen} title={title} isUrgent link={link} />
}

const preOrderColumns: readonly Column<Order>[] = [number, { ...discord, className: 'w-auto' }, coins, amount, date]

/** Paid pre-orders whose coins are not in stock, and how many coins are missing. */
export function PreOrders() {
  const asOf = useAsOf()
  const stockM = useSettings().data?.currentStock
  return (
    <Waiting
      response={useWaitingForStock(asOf)}
      isEmpty={({ total }) => total === 0}
      failure="The paid pre-orders could not be loaded"
    >
      {({ total, pokecoins, orders }) => {
        // The stock of a past day is not known here.
        const missingM = asOf === undefined && stockM !== undefined ? pokecoins - stockM : undefined
        const need = missingM === undefined ? `for ${millions(pokecoins)}` : `needs ${millions(missingM)} more`
        return (
          <DeskSection
            id="pre-orders"
            icon={PackageOpen}
            title={atLeast(total, 'paid pre-order')}
            head={<p className="tabular-nums text-muted">{need}</p>}
          >
            <div className="border-t border-line">
              <Table columns={preOrderColumns} rows={orders} className="[&_td]:px-3 [&_th]:px-3" line={orderLine} />
            </div>
          </DeskSection>
        )
      }}
    </Waiting>
  )
}

/** Warns of payments whose order is not in the log, which means that events were lost. */
export function Unplaced() {
  return (
    <Waiting
      response={useUnplaced(useAsOf())}
      isEmpty={({ total }) => total === 0}
      failure="Payments without an order could not be loaded"
    >
      {({ total }) => (
        <Notice tone="bad" title={`${atLeast(total, 'payment')} without an order`}>
          <p>
            Events of the shop were lost. <code>npm run shop -- admin unplaced</code> lists and settles{' '}
            {total === 1 ? 'it' : 'them'}.
          </p>
        </Notice>
      )}
    </Waiting>
  )
}

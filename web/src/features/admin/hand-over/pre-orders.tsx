import type { Order } from '#contract/order.ts'
import PackageOpen from 'lucide:package-open'
import { useWaitingForStock } from '../../../api/admin.ts'
import { useSettings } from '../../../api/settings.ts'
import { LoadError } from '../../../components/ui/loaded.tsx'
import { type Column, Table } from '../../../components/ui/table.tsx'
import { millions } from '../../../lib/format.ts'
import { orderColumns, OrderLine, OrderLink } from '../shared/order-table.tsx'
import { atLeast } from '../shared/staff-words.ts'
import { useAsOf } from '../shared/use-as-of.ts'
import { DeskSection } from './desk-section.tsx'

const { number, discord, coins, amount, date } = orderColumns
const columns: readonly Column<Order>[] = [number, { ...discord, className: 'w-auto' }, coins, amount, date]

/** Warns that no coins, or few, are left to sell. Else renders nothing. */
export function StockLeft() {
  const { data } = useSettings()
  if (data === undefined || data.currentStock > data.lowStockM) return null
  const title = data.currentStock === 0 ? 'Sold out' : `Low stock: ${millions(data.currentStock)} left`
  return (
    <DeskSection
      id="stock"
      icon={PackageOpen}
      title={title}
      isUrgent
      link={{ to: '/admin/settings', text: 'Set the stock' }}
    />
  )
}

/** Paid pre-orders whose coins are not in stock, and how many coins are missing. Renders nothing if there are none. */
export function PreOrders() {
  const asOf = useAsOf()
  const { data, error, mutate } = useWaitingForStock(asOf)
  const stockM = useSettings().data?.currentStock
  if (data === undefined || data.total === 0) {
    if (error === undefined) return null
    return <LoadError title="The paid pre-orders could not be loaded" error={error} onRetry={mutate} />
  }
  // The stock of a past day is not known here.
  const missingM = asOf === undefined && stockM !== undefined ? data.pokecoins - stockM : undefined
  return (
    <DeskSection
      id="pre-orders"
      icon={PackageOpen}
      title={atLeast(data.total, 'paid pre-order')}
      head={
        <p className="tabular text-muted">
          {missingM === undefined ? `for ${millions(data.pokecoins)}` : `needs ${millions(missingM)} more`}
        </p>
      }
    >
      <div className="border-t border-line">
        <Table
          columns={columns}
          rows={data.orders}
          className="[&_td]:px-3 [&_th]:px-3 max-[899px]:[&_td]:px-0"
          line={(order) => (
            <OrderLine order={order} head={<OrderLink order={order} />}>
              <p>
                {millions(order.pokecoinAmount)} · {order.discordUsername}
              </p>
            </OrderLine>
          )}
        />
      </div>
    </DeskSection>
  )
}

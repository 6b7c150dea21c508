import type { Analytics } from '#contract/admin.ts'
import type { Order } from '#contract/order.ts'
import type { ReactNode } from 'react'
import { useAnalytics, useRevenue } from '../../../api/admin.ts'
import { useSold } from '../../../api/shop.ts'
import { Figure } from '../../../components/ui/figure.tsx'
import { Loaded, StaleNote } from '../../../components/ui/loaded.tsx'
import { type Column, inCard, Table } from '../../../components/ui/table.tsx'
import { centsOf, count, millions, usd } from '../../../lib/format.ts'
import { methodNames } from '../../../method-words.ts'
import { AsOfField } from '../shared/as-of-field.tsx'
import { Bars } from './bars.tsx'
import { orderColumns, orderLine } from '../shared/order-table.tsx'
import { TitledCard } from '../../../components/ui/titled-card.tsx'
import { useAsOf } from '../shared/use-as-of.ts'
import { dayName, monthName } from '../shared/staff-words.ts'

const RECENT_ORDERS_MAX = 5
const MONTHS_SHOWN = 12
const DAYS_SHOWN = 31

/** The figures first, then `children`: what waits for staff. */
export function Dashboard({ children }: { children: ReactNode }) {
  const asOf = useAsOf()
  const analytics = useAnalytics(asOf)
  return (
    <section aria-labelledby="analytics-heading" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2 xl:min-h-14 xl:rounded-surface xl:border xl:border-line xl:bg-surface xl:px-4">
        <h2 id="analytics-heading" className="text-base sm:text-lg">
          Analytics Dashboard
        </h2>
        <AsOfField asOf={asOf} />
        <Figures analytics={analytics.data} />
        {analytics.data !== undefined && <StaleNote error={analytics.error} />}
      </div>
      {children}
      <Loaded response={analytics} loading="Loading analytics..." failure="Analytics could not be loaded">
        {(data) => <Trends analytics={data} />}
      </Loaded>
    </section>
  )
}

/** One strip of 56 px. */
function Figures({ analytics }: { analytics: Analytics | undefined }) {
  const { coins } = useSold()
  const figures = [
    { label: 'Total Revenue', figure: analytics && usd(centsOf(analytics.totalRevenue)) },
    { label: 'Total Orders', figure: analytics && count(analytics.totalOrders) },
    { label: `${coins} Sold`, figure: analytics && millions(analytics.totalPokecoins) },
    { label: 'Total Customers', figure: analytics && count(analytics.totalCustomers) },
  ]
  return (
    <dl className="grid min-h-14 w-full grid-cols-[auto_auto] items-center justify-between gap-x-3 rounded-surface border border-line bg-surface px-3 sm:flex xl:w-auto xl:flex-1 xl:border-0 xl:p-0">
      {figures.map(({ label, figure }) => (
        <div key={label} className="flex flex-wrap items-baseline gap-x-1.5 leading-6">
          <dt className="min-w-0 wrap-anywhere text-muted">{label}</dt>
          <dd>
            <Figure className="text-base leading-6 sm:text-lg">{figure ?? '–'}</Figure>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Trends({ analytics }: { analytics: Analytics }) {
  const months = analytics.monthlyRevenue.map(({ month, revenue }) => ({
    name: monthName(month),
    cents: centsOf(revenue),
  }))
  return (
    <>
      <div className="grid gap-1 text-muted">
        <Undelivered {...analytics.undelivered} />
        <p className="tabular-nums">
          Held by unpaid orders: <strong className="text-ink">{millions(analytics.unpaidPokecoins)}</strong>
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <TitledCard title="Monthly Revenue Trend">
          {months.length === 0 ? (
            <p className="text-muted">No order was completed yet.</p>
          ) : (
            <Bars head="Month" rows={months} shownMax={MONTHS_SHOWN} />
          )}
        </TitledCard>
        <RecentOrders orders={analytics.recentOrders.slice(0, RECENT_ORDERS_MAX)} />
      </div>
      <RevenueByDayAndMethod />
    </>
  )
}

/** Paid orders that the figures do not count yet: they count from the handover on. */
function Undelivered({ orders, total, pokecoins, isWhole }: Analytics['undelivered']) {
  const figures = [
    `${isWhole ? '' : 'more than '}${count(orders)} ${orders === 1 ? 'order' : 'orders'}`,
    usd(centsOf(total)),
    millions(pokecoins),
  ]
  return (
    <p>
      {orders === 0 ? (
        <span className="text-ink">Everything that was paid is handed over. </span>
      ) : (
        <span className="tabular-nums text-ink">
          Paid, not handed over: <strong>{figures.join(' · ')}</strong>.{' '}
        </span>
      )}
      Revenue, coins and customers count from the handover on.
    </p>
  )
}

function RevenueByDayAndMethod() {
  const response = useRevenue(useAsOf())
  return (
    <TitledCard title="Revenue by day and method">
      <Loaded
        response={response}
        loading="Loading revenue..."
        failure="Revenue could not be loaded"
        empty={response.data?.days.length === 0 ? <p className="text-muted">No order was completed yet.</p> : undefined}
      >
        {({ days, methods }) => (
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <Bars
              title="By day with sales"
              head="Day"
              rows={days.map(({ day, orders, revenue }) => ({ name: dayName(day), orders, cents: centsOf(revenue) }))}
              shownMax={DAYS_SHOWN}
            />
            <Bars
              title="By method, all time"
              head="Method"
              rows={methods.map(({ method, revenue }) => ({
                name: method === null ? 'No method' : methodNames[method],
                cents: centsOf(revenue),
              }))}
            />
          </div>
        )}
      </Loaded>
    </TitledCard>
  )
}

const { number, discord, coins, amount, status, date } = orderColumns
const shortStatus = { ...status, cellClassName: 'max-w-56' }
const recentColumns: readonly Column<Order>[] = [number, discord, coins, amount, shortStatus, date]

function RecentOrders({ orders }: { orders: Analytics['recentOrders'] }) {
  return (
    <TitledCard title="Recent Orders" className="overflow-x-auto">
      {orders.length === 0 ? (
        <p className="text-muted">No orders found</p>
      ) : (
        <div className="max-[899px]:-mx-3">
          <Table columns={recentColumns} rows={orders} className={`whitespace-nowrap ${inCard}`} line={orderLine} />
        </div>
      )}
    </TitledCard>
  )
}

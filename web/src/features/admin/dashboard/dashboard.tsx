import type { Analytics } from '#contract/admin.ts'
import type { Order } from '#contract/order.ts'
import { useAnalytics, useRevenue } from '../../../api/admin.ts'
import { Figure } from '../../../components/ui/figure.tsx'
import { Loaded, StaleNote } from '../../../components/ui/loaded.tsx'
import { type Column, inCard, Table } from '../../../components/ui/table.tsx'
import { count, millions, usd } from '../../../lib/format.ts'
import { methodNames } from '../../../method-words.ts'
import { Bars } from './bars.tsx'
import {
  amountColumn,
  dateColumn,
  discordColumn,
  orderNumberColumn,
  pokecoinsColumn,
  statusColumn,
} from '../shared/order-table.tsx'
import { TitledCard } from '../../../components/ui/titled-card.tsx'
import { useAsOf } from '../shared/use-as-of.ts'
import { dayName, monthName } from '../shared/staff-words.ts'

const RECENT_ORDERS_MAX = 5
const MONTHS_SHOWN = 12
const DAYS_SHOWN = 31

export function Dashboard() {
  const analytics = useAnalytics(useAsOf())
  return (
    <section aria-labelledby="analytics-heading" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="analytics-heading" className="text-lg">
          Analytics Dashboard
        </h2>
        {analytics.data !== undefined && <StaleNote error={analytics.error} />}
      </div>
      <Loaded response={analytics} loading="Loading analytics..." failure="Analytics could not be loaded">
        {(data) => <TotalsAndTrend analytics={data} />}
      </Loaded>
    </section>
  )
}

function TotalsAndTrend({ analytics }: { analytics: Analytics }) {
  const { totalRevenue, totalOrders, totalPokecoins, totalCustomers, monthlyRevenue } = analytics
  const cards = [
    { label: 'Total Revenue', figure: usd(centsIn(totalRevenue)) },
    { label: 'Total Orders', figure: count(totalOrders) },
    { label: 'Pokecoins Sold', figure: millions(totalPokecoins) },
    { label: 'Total Customers', figure: count(totalCustomers) },
  ]
  return (
    <>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(13rem,100%),1fr))] gap-3">
        {cards.map(({ label, figure }) => (
          <div
            key={label}
            className="flex flex-wrap items-baseline justify-between gap-x-3 rounded-surface border border-line bg-surface px-4 py-3 lg:block"
          >
            <dt className="text-muted">{label}</dt>
            <dd>
              <Figure className="text-xl lg:text-2xl">{figure}</Figure>
            </dd>
          </div>
        ))}
      </dl>
      <div className="-mt-2 grid gap-1 text-muted">
        <Undelivered {...analytics.undelivered} />
        <p className="tabular">
          Held by unpaid orders: <strong className="text-ink">{millions(analytics.unpaidPokecoins)}</strong>
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <Trend months={monthlyRevenue} />
        <RecentOrders orders={analytics.recentOrders.slice(0, RECENT_ORDERS_MAX)} />
      </div>
      <RevenueByDayAndMethod />
    </>
  )
}

/** Paid orders that the cards do not count yet: they count from the handover on. */
function Undelivered({ orders, total, pokecoins, isWhole }: Analytics['undelivered']) {
  const figures = [
    `${isWhole ? '' : 'more than '}${count(orders)} ${orders === 1 ? 'order' : 'orders'}`,
    usd(centsIn(total)),
    millions(pokecoins),
  ]
  return (
    <p>
      {orders === 0 ? (
        <span className="text-ink">Everything that was paid is handed over. </span>
      ) : (
        <span className="tabular text-ink">
          Paid, not handed over: <strong>{figures.join(' · ')}</strong>.{' '}
        </span>
      )}
      Revenue, coins and customers count from the handover on.
    </p>
  )
}

function Trend({ months }: { months: Analytics['monthlyRevenue'] }) {
  return (
    <TitledCard title="Monthly Revenue Trend">
      {months.length === 0 ? (
        <p className="text-muted">No order was completed yet. The first one starts the first bar.</p>
      ) : (
        <Bars
          head="Month"
          rows={months.map(({ month, revenue }) => ({ name: monthName(month), cents: centsIn(revenue) }))}
          shownMax={MONTHS_SHOWN}
        />
      )}
    </TitledCard>
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
            <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
              <h4 className="font-medium">By day with sales</h4>
              <Bars
                head="Day"
                rows={days.map(({ day, orders, revenue }) => ({ name: dayName(day), orders, cents: centsIn(revenue) }))}
                shownMax={DAYS_SHOWN}
              />
            </div>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
              <h4 className="font-medium">By method, all time</h4>
              <Bars
                head="Method"
                rows={methods.map(({ method, revenue }) => ({
                  name: method === null ? 'No method' : methodNames[method],
                  cents: centsIn(revenue),
                }))}
              />
            </div>
          </div>
        )}
      </Loaded>
    </TitledCard>
  )
}

function centsIn(dollars: number): number {
  return Math.round(dollars * 100)
}

const recentColumns: readonly Column<Order>[] = [
  orderNumberColumn,
  discordColumn,
  pokecoinsColumn,
  amountColumn,
  { ...statusColumn, cellClassName: 'min-w-56' },
  dateColumn,
]

function RecentOrders({ orders }: { orders: Analytics['recentOrders'] }) {
  return (
    <TitledCard title="Recent Orders" className="overflow-x-auto">
      {orders.length === 0 ? (
        <p className="text-muted">No orders found</p>
      ) : (
        <Table columns={recentColumns} rows={orders} className={`whitespace-nowrap ${inCard}`} />
      )}
    </TitledCard>
  )
}

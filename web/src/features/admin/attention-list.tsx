import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router-dom'
import { useAttention } from '../../api/admin.ts'
import { LoadError } from '../../components/ui/loaded.tsx'
import { Time } from '../../components/ui/time.tsx'
import { matching } from './order-list-filters.ts'
import { OrderLink } from './order-link.tsx'
import { searchAt, useAsOf } from './use-as-of.ts'
import { causesOf } from './words.ts'

/** Orders that need attention, on phones their number alone; renders nothing without any. */
export function AttentionList({ isOneLine }: { isOneLine: boolean }) {
  const asOf = useAsOf()
  const { data, error, mutate } = useAttention(asOf)
  if (data === undefined || data.orders.length === 0) {
    if (error === undefined) return null
    return <LoadError title="The orders that need a person could not be loaded" error={error} onRetry={mutate} />
  }
  const isOne = data.filtered === 1 && data.filteredIsExact
  return (
    <section
      aria-labelledby="attention-heading"
      className="overflow-hidden rounded-surface border border-amber-edge bg-amber-soft"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2 sm:px-4">
        <h2 id="attention-heading" className="flex items-center gap-2 text-base">
          <TriangleAlert aria-hidden="true" className="size-5" />
          {isOne ? '1 order needs a person' : `${matching(data)} orders need a person`}
        </h2>
        <Link
          className="link inline-flex min-h-6 items-center"
          to={`/admin/orders${searchAt(asOf, { attention: 'any' })}`}
          replace
        >
          {isOneLine ? `Show ${isOne ? 'it' : 'them'}` : 'Show as a list'}
        </Link>
      </div>
      {!isOneLine && (
        <ul className="max-[899px]:hidden divide-y divide-line border-t border-amber-edge bg-surface">
          {data.orders.map((order) => (
            <li key={order.id} className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-0.5 px-3 py-1.5 sm:px-4">
              <OrderLink order={order} />
              <span className="min-w-0 flex-1 basis-60">{causesOf(order)}</span>
              {order.attention !== null && (
                <span className="tabular text-muted">
                  since <Time iso={order.attention.since} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

import type { Order } from '#contract/order.ts'
import TriangleAlert from 'lucide:triangle-alert'
import { useAttention } from '../../../api/admin.ts'
import { LoadError } from '../../../components/ui/loaded.tsx'
import { type Column, Table } from '../../../components/ui/table.tsx'
import { Time } from '../../../components/ui/time.tsx'
import { DeskSection } from './desk-section.tsx'
import { orderColumns } from '../shared/order-table.tsx'
import { searchAt, useAsOf } from '../shared/use-as-of.ts'
import { causesOf, differenceOf, matching } from '../shared/staff-words.ts'

const columns: readonly Column<Order>[] = [
  orderColumns.number,
  { name: 'Needs a person for', className: 'w-auto', cell: causesOf },
  orderColumns.discord,
  { ...orderColumns.amount, name: 'Difference', cell: differenceOf },
  {
    name: 'Since',
    cellClassName: 'tabular whitespace-nowrap',
    cell: ({ attention }) => attention && <Time iso={attention.since} />,
  },
]

/** The orders that need attention; on narrow screens only how many. Renders nothing if there are none. */
export function Attention({ isOneLine }: { isOneLine: boolean }) {
  const asOf = useAsOf()
  const { data, error, mutate } = useAttention(asOf)
  if (data === undefined || data.orders.length === 0) {
    if (error === undefined) return null
    return <LoadError title="The orders that need a person could not be loaded" error={error} onRetry={mutate} />
  }
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
          <Table columns={columns} rows={data.orders} className="[&_td]:px-3 [&_th]:px-3" />
        </div>
      )}
    </DeskSection>
  )
}

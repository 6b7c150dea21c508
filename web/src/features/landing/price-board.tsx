import type { ReactNode } from 'react'
import type { Offer } from '../../api/offer.ts'
import { Figure } from '../../components/ui/figure.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { millions, unitInr, unitUsd } from '../../lib/format.ts'

/** Longer figures would overflow half a phone's width. */
const LARGE_MAX = 8

/** Price and stock in large figures. */
export function PriceBoard({ offer }: { offer: Offer | undefined }) {
  return (
    <dl className="flex flex-wrap justify-between gap-x-4 gap-y-3 border-y border-line py-5 sm:grid sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(calc((100%-3rem)/3),auto)] sm:gap-x-6">
      <Cell label="USD per 1M">{offer && unitUsd(offer.unitPriceTenThousandths)}</Cell>
      <Cell label="INR per 1M">{offer && unitInr(offer.unitPriceTenThousandths, offer.inrPerUsd)}</Cell>
      <Cell label="In stock">{offer && millions(offer.stockM)}</Cell>
    </dl>
  )
}

function Cell({ label, children }: { label: ReactNode; children: string | undefined }) {
  const size = (children?.length ?? 0) > LARGE_MAX ? 'text-lg sm:text-3xl' : 'text-2xl sm:text-3xl'
  return (
    <div className="flex flex-col-reverse justify-end gap-1">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className={`flex h-11 items-end whitespace-nowrap ${size}`}>
        {children === undefined ? <Skeleton className="mt-1 h-9 w-20" /> : <Figure>{children}</Figure>}
      </dd>
    </div>
  )
}

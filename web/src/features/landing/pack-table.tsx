import type { Product } from '#contract/product.ts'
import { quote } from '#pricing'
import { canBuy, type Offer, savedPercent } from '../../api/offer.ts'
import { useProducts } from '../../api/settings.ts'
import { CoinGlyph } from '../../components/coins/coin-stack.tsx'
import { ButtonLink } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/loaded.tsx'
import { exactUnitUsd, inrOf, millions, usd } from '../../lib/format.ts'

type Pack = Pick<Product, 'id' | 'name' | 'description' | 'pokecoinAmount'>

/** A price table of the products, or of the six packs in the settings if there are none. */
export function PackTable({ offer }: { offer: Offer | undefined }) {
  const products = useProducts()
  const isLoading = offer === undefined || products.isLoading
  const rows = isLoading ? [] : rowsOf(offer, products.data ?? [])
  const largest = Math.max(...rows.map((row) => row.saved))
  return (
    <div className="@container max-w-[760px]">
      <table className="w-full border-collapse text-left stacks">
        <caption className="sr-only">Packs and their prices</caption>
        <thead className="text-sm text-muted">
          <tr>
            <th className="py-2 font-normal">Pack</th>
            <th className="py-2 text-right font-normal">Price</th>
            <th className="hidden py-2 text-right font-normal sm:table-cell">Per 1M</th>
            <th className="hidden py-2 text-right font-normal md:table-cell">In rupees</th>
            <th className="py-2 text-right font-normal">
              <span className="sr-only">Buy</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {isLoading
            ? Array.from({ length: 6 }, (_, index) => (
                <tr key={index} className="border-t border-line">
                  <td className="h-14" colSpan={5}>
                    <Skeleton className="h-7 w-full" />
                  </td>
                </tr>
              ))
            : rows.map((row) => (
                <tr key={row.key} className="border-t border-line">
                  <th scope="row" className="h-14 py-1 pr-3 font-normal">
                    <span className="flex items-baseline gap-3">
                      <CoinGlyph quantityM={row.quantityM} className="-mt-4 hidden h-10 w-7 flex-none sm:block" />
                      <span>
                        <span className="figure block text-xl wrap-anywhere">{row.name}</span>
                        {row.name !== millions(row.quantityM) && (
                          <span className="tabular-nums block text-sm">{millions(row.quantityM)} coins</span>
                        )}
                        {row.description !== '' && <span className="block text-sm text-muted">{row.description}</span>}
                      </span>
                    </span>
                  </th>
                  <td className="py-1 text-right leading-5">
                    <span className="figure block text-xl">{usd(row.totalCents)}</span>
                    {row.saved > 0 && (
                      <span
                        className={`-mr-2 inline-block rounded-full px-2 text-sm ${
                          row.saved === largest ? 'bg-amber text-on-amber' : 'text-muted'
                        }`}
                      >
                        save {row.saved}%
                      </span>
                    )}
                  </td>
                  <td className="tabular-nums hidden py-1 pl-6 text-right text-muted sm:table-cell">
                    {exactUnitUsd((row.totalCents * 100) / row.quantityM)}
                  </td>
                  <td className="tabular-nums hidden py-1 pl-6 text-right text-muted md:table-cell">
                    {inrOf(row.totalCents, offer.inrPerUsd)}
                  </td>
                  <td className="py-1 pl-3 text-right sm:pl-6">
                    {offer.methods.length === 0 ? null : canBuy(offer, row.quantityM) ? (
                      <ButtonLink to={`/purchase?quantity=${row.quantityM}`}>
                        {row.quantityM > offer.stockM ? 'Pre-order' : 'Buy'}
                        <span className="sr-only"> {millions(row.quantityM)}</span>
                      </ButtonLink>
                    ) : (
                      <span className="text-sm whitespace-nowrap text-muted">Out of Stock</span>
                    )}
                  </td>
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}

function rowsOf(offer: Offer, products: readonly Product[]) {
  const active = products.filter((product) => product.active).sort((a, b) => a.position - b.position)
  const ofSettings = offer.packs.map(({ amountM }, index) => {
    return { id: `pack-${index}`, name: millions(amountM), description: '', pokecoinAmount: amountM }
  })
  const packs: readonly Pack[] = active.length > 0 ? active : ofSettings
  return packs.map(({ id, name, description, pokecoinAmount: quantityM }) => {
    const { totalCents } = quote(offer, quantityM)
    return { key: id, name, description, quantityM, totalCents, saved: savedPercent(offer, quantityM) }
  })
}

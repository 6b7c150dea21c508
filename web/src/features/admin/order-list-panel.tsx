import { startTransition, useEffect, useOptimistic, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { exportPath, type OrderQuery, PAGES_MAX, readAllOrders, useOrderList } from '../../api/admin.ts'
import { Button, buttonStyle } from '../../components/ui/button.tsx'
import { Check, Select } from '../../components/ui/field.tsx'
import { Loaded, StaleNote } from '../../components/ui/loaded.tsx'
import { useAction } from '../../components/ui/use-action.ts'
import { count } from '../../lib/format.ts'
import { type Asked, AskedDialog } from './order-actions.tsx'
import {
  addressWith,
  filterNames,
  filterRows,
  filtersFrom,
  isFiltered,
  listTitle,
  matching,
  type OrderFilters,
  pagesFrom,
  queryOf,
  selectedText,
  withoutFilters,
} from './order-list-filters.ts'
import { type OrderRows, OrderTable } from './order-table.tsx'
import { SearchBox } from './search-box.tsx'
import { useSelection } from './selection.ts'
import { useAsOf } from './use-as-of.ts'

export function OrderListPanel() {
  const { filters, query, pages, change, address } = useFilters()
  const answer = useOrderList(query, pages)
  const { data, error, isLoading } = answer
  const selection = useSelection('orders', data?.orders ?? [], { of: JSON.stringify(query), pages, isLoading })
  const [asked, setAsked] = useState<Asked>()
  const table: Omit<OrderRows, 'orders'> = {
    address: address.size === 0 ? '' : `?${address.toString()}`,
    onAsk: setAsked,
    ticked: selection.isOn ? selection.orders : undefined,
    onTick: selection.tick,
    sort: { field: filters.sort ?? 'createdAt', direction: filters.direction ?? 'desc' },
    onSort: (field, direction) =>
      change({
        sort: field === 'createdAt' ? undefined : field,
        direction: direction === 'desc' ? undefined : direction,
      }),
  }

  return (
    <section aria-labelledby="orders-heading" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="orders-heading" className="text-lg">
        Order Management
      </h2>
      <FilterBar filters={filters} change={change} />

      <div className="overflow-hidden rounded-surface border border-line bg-surface [&>[role=alert]]:m-4">
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-3 py-1.5">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h3 className="tabular text-base">
              <span role="status">{listTitle(data, filters)}</span>
            </h3>
            {data && <StaleNote error={error} />}
          </div>
          {selection.isOn ? (
            <SelectionBar
              selection={selection}
              query={query}
              onDelete={(note) => setAsked({ to: 'delete', orders: [...selection.orders.values()], note })}
            />
          ) : (
            <ListActions query={query} isEmpty={!data?.orders.length} onSelect={() => selection.choose([])} />
          )}
        </div>
        <Loaded
          answer={answer}
          loading="Loading orders..."
          skeleton={greyRows}
          failure="Failed to fetch orders"
          empty={data?.orders.length === 0 ? <Nothing filters={filters} change={change} /> : undefined}
        >
          {(list) => (
            <div
              className="relative max-h-[60vh] overflow-auto"
              tabIndex={0}
              role="region"
              aria-label="Orders"
              aria-busy={answer.isValidating}
            >
              <OrderTable {...table} orders={selection.rows} />
              {list.hasMore && (
                <LoadMore
                  shown={`${count(selection.rows.length)} of ${matching(list)} shown`}
                  onMore={pages < PAGES_MAX ? () => change({ pages: String(pages + 1) }) : undefined}
                />
              )}
            </div>
          )}
        </Loaded>
      </div>
      <AskedDialog asked={asked} onDone={selection.forget} onClose={() => setAsked(undefined)} />
    </section>
  )
}

type Change = (changes: Readonly<Record<string, string | undefined>>) => void

function useFilters() {
  const asOf = useAsOf()
  const [address, setAddress] = useSearchParams()
  // The URL updates in a transition; the controls show a change at once.
  const [filters, show] = useOptimistic(filtersFrom(address))
  const change: Change = (changes) =>
    startTransition(() => {
      show(filtersFrom(addressWith(address, changes)))
      setAddress((now) => addressWith(now, changes), { replace: true })
    })
  return { address, filters, query: { ...queryOf(filters), asOf }, pages: pagesFrom(address), change }
}

interface FiltersProps {
  filters: OrderFilters
  change: Change
}

function FilterBar({ filters, change }: FiltersProps) {
  return (
    <div className="flex flex-wrap items-end gap-2">
      <SearchBox value={filters.search ?? ''} onChange={(search) => change({ search })} />
      {filterNames.map((name) => (
        <Filter
          key={name}
          row={filterRows[name]}
          value={filters[name]}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
    </div>
  )
}

interface ListActionsProps {
  query: OrderQuery
  isEmpty: boolean
  onSelect: () => void
}

function ListActions({ query, isEmpty, onSelect }: ListActionsProps) {
  return (
    <div className="flex gap-1.5">
      <a className={buttonStyle({ size: 'small' })} href={exportPath(query)} download>
        Export CSV
      </a>
      {/* A past day is read only. */}
      {query.asOf === undefined && (
        <Button size="small" disabled={isEmpty} onClick={onSelect}>
          Select
        </Button>
      )}
    </div>
  )
}

/** Without `onMore` no further page can be loaded. */
function LoadMore({ shown, onMore }: { shown: string; onMore: (() => void) | undefined }) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line px-3 py-2">
      {onMore ? (
        <Button size="small" onClick={onMore}>
          Load more
        </Button>
      ) : (
        <p>The rest is found by searching.</p>
      )}
      <p className="tabular text-muted">{shown}</p>
    </div>
  )
}

interface FilterProps {
  row: { readonly label: string; readonly all?: string; readonly options: Readonly<Record<string, string>> }
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** A select, or a checkbox for a filter with one value. */
function Filter({ row: { label, all, options }, value, onChange }: FilterProps) {
  if (all === undefined)
    return (
      <Check
        className="sm:px-1"
        checked={value === 'true'}
        onChange={(event) => onChange(event.currentTarget.checked ? 'true' : undefined)}
      >
        {label}
      </Check>
    )
  return (
    <Select
      label={label}
      className="max-sm:flex-1 max-sm:basis-32"
      options={{ '': all, ...options }}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
    />
  )
}

interface SelectionBarProps {
  selection: ReturnType<typeof useSelection>
  query: OrderQuery
  /** `note`: how many are selected, and of how many. */
  onDelete: (note: string) => void
}

function SelectionBar({ selection, query, onDelete }: SelectionBarProps) {
  const { rows, orders, outOf, choose } = selection
  const bar = useRef<HTMLDivElement>(null)
  // The Select button, which had the focus, has been replaced.
  useEffect(() => bar.current?.querySelector('button')?.focus(), [])
  const selectAll = useAction(async () => {
    const all = await readAllOrders(query)
    choose(all.orders, all.hasMore ? matching(all) : undefined)
  }, 'Error')
  const shown = rows.filter(({ id }) => orders.has(id)).length
  const says = selectedText({ size: orders.size, shown, leftOutOf: outOf })
  return (
    <div ref={bar} role="group" aria-label="Selected orders" className="flex flex-wrap items-center gap-1.5">
      <Button size="small" pending={selectAll.isBusy && 'Selecting...'} onClick={selectAll.run}>
        Select All
      </Button>
      <Button size="small" disabled={orders.size === 0} onClick={() => choose([])}>
        Deselect All
      </Button>
      <Button size="small" kind="danger" disabled={orders.size === 0} onClick={() => onDelete(says)}>
        Delete ({count(orders.size)})
      </Button>
      <Button size="small" kind="quiet" onClick={selection.end}>
        Cancel
      </Button>
      <Added {...selection}>{says}</Added>
    </div>
  )
}

interface AddedProps extends Pick<ReturnType<typeof useSelection>, 'added' | 'showAdded'> {
  children?: string
}

/** How many orders are not shown, since the list is held still. */
export function Added({ added, showAdded, children = '' }: AddedProps) {
  return (
    <>
      <span role="status" className="tabular px-1 text-muted empty:hidden">
        {children}
        {added > 0 && ` ${count(added)} new.`}
      </span>
      {added > 0 && (
        <Button size="small" onClick={showAdded}>
          Show new
        </Button>
      )}
    </>
  )
}

function Nothing({ filters, change }: FiltersProps) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-14 text-center text-muted">
      <p role="status">{isFiltered(filters) ? 'No orders found matching your search' : 'No orders found'}</p>
      {isFiltered(filters) && (
        <Button size="small" onClick={() => change(withoutFilters)}>
          Show all orders
        </Button>
      )}
    </div>
  )
}

const greyRows = (
  <div className="divide-y divide-line">
    {Array.from({ length: 8 }, (_, row) => (
      <div key={row} className="flex h-10 animate-appear items-center px-3" aria-hidden="true">
        <span className="h-3.5 w-full animate-shimmer rounded-full bg-sunk" />
      </div>
    ))}
  </div>
)

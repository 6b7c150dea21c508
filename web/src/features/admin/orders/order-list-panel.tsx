import type { OrderList } from '#contract/order-list-query.ts'
import { startTransition, useEffect, useOptimistic, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  downloadFound,
  exportPath,
  type OrderQuery,
  PAGES_MAX,
  readAllOrders,
  useOrderList,
} from '../../../api/admin.ts'
import { Button, buttonStyle } from '../../../components/ui/button.tsx'
import { Check, Select } from '../../../components/ui/field.tsx'
import { Loaded, StaleNote } from '../../../components/ui/loaded.tsx'
import { useAction } from '../../../components/ui/use-action.ts'
import { count } from '../../../lib/format.ts'
import { type PendingAction, ActionDialog } from '../shared/order-actions.tsx'
import { AsOfField } from '../shared/as-of-field.tsx'
import {
  filterNames,
  filterRows,
  filtersFrom,
  isFiltered,
  listTitle,
  type OrderFilters,
  queryOf,
  selectedText,
} from './order-list-filters.ts'
import { OrderTable } from '../shared/order-table.tsx'
import { matching } from '../shared/staff-words.ts'
import { SearchBox } from './search-box.tsx'
import { useSelection } from './selection.ts'
import { addressWith, searchAt, useAddress, useAsOf } from '../shared/use-as-of.ts'

/** Of a search; the server looks no further. */
const SEARCHED_MAX = 1_000

export function OrderListPanel() {
  const { filters, query, change } = useFilters()
  const list = JSON.stringify(query)
  const [read, setRead] = useState({ list, pages: 1 })
  const pages = read.list === list ? read.pages : 1
  const response = useOrderList(query, pages)
  const { data, error } = response
  const selection = useSelection(list, data?.orders ?? [])
  const [pending, setPending] = useState<PendingAction>()
  return (
    <section aria-labelledby="orders-heading" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <h2 id="orders-heading" className="text-lg">
          Order Management
        </h2>
        <AsOfField asOf={query.asOf} />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 sm:ml-auto">
          <h3 className="tabular-nums text-base">
            <span role="status">{listTitle(data, filters)}</span>
          </h3>
          {data && <StaleNote error={error} />}
          {selection.ticks ? (
            <SelectionBar
              selection={selection}
              query={query}
              onDelete={() => setPending({ to: 'delete', orders: [...selection.orders.values()] })}
            />
          ) : (
            <ListActions query={query} found={data} onSelect={() => selection.choose([])} />
          )}
        </div>
      </div>
      <FilterBar filters={filters} change={change} />
      <div className="overflow-hidden rounded-surface border border-line bg-surface [&>[role=alert]]:m-4">
        <Loaded
          response={response}
          loading="Loading orders..."
          failure="Failed to fetch orders"
          empty={data?.orders.length === 0 ? <NoOrders filters={filters} asOf={query.asOf} /> : undefined}
        >
          {(found) => (
            <div
              className="relative max-h-[60vh] overflow-auto"
              tabIndex={0}
              role="region"
              aria-label="Orders"
              aria-busy={response.isValidating}
            >
              <OrderTable orders={selection.rows} onAction={setPending} ticks={selection.ticks} />
              {found.hasMore && (
                <LoadMore
                  shown={`${count(selection.rows.length)} of ${matching(found)} shown`}
                  isLast={pages >= PAGES_MAX}
                  onMore={() => {
                    selection.release()
                    setRead({ list, pages: pages + 1 })
                  }}
                />
              )}
            </div>
          )}
        </Loaded>
      </div>
      <ActionDialog pending={pending} onDone={selection.forget} onClose={() => setPending(undefined)} />
    </section>
  )
}

function NoOrders({ filters, asOf }: { filters: OrderFilters; asOf: string | undefined }) {
  const isSearch = isFiltered(filters)
  return (
    <div className="grid justify-items-center gap-2 px-4 py-12">
      <p role="status" className="text-muted">
        {isSearch ? 'No orders found matching your search' : 'No orders found'}
      </p>
      {isSearch && (
        <Link className={buttonStyle({ size: 'small' })} to={`/admin/orders${searchAt(asOf)}`} replace>
          Show all orders
        </Link>
      )}
    </div>
  )
}

function useFilters() {
  const asOf = useAsOf()
  const { address, change: goTo } = useAddress()
  // The URL updates in a transition; the controls show a change at once.
  const [filters, show] = useOptimistic(filtersFrom(address))
  const change = (changes: Readonly<Record<string, string | undefined>>) =>
    startTransition(() => {
      show(filtersFrom(addressWith(address, changes)))
      goTo(changes)
    })
  return { filters, query: { ...queryOf(filters), asOf }, change }
}

function FilterBar({ filters, change }: Pick<ReturnType<typeof useFilters>, 'filters' | 'change'>) {
  // On phones the filters open below the search.
  const [isOpen, setOpen] = useState(false)
  const used = filterNames.filter((name) => filters[name] !== undefined).length
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox value={filters.search ?? ''} onChange={(search) => change({ search })} />
      <Button size="small" className="sm:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filters{used > 0 && ` (${used})`}
      </Button>
      <div className={`flex flex-wrap items-center gap-2 max-sm:w-full ${isOpen ? '' : 'max-sm:hidden'}`}>
        {filterNames.map((name) => (
          <Filter
            key={name}
            row={filterRows[name]}
            value={filters[name]}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
      </div>
    </div>
  )
}

interface ListActionsProps {
  query: OrderQuery
  found: OrderList | undefined
  onSelect: () => void
}

function ListActions({ query, found, onSelect }: ListActionsProps) {
  // The server refuses a file that would lack orders.
  const isTooWide = query.search !== undefined && found?.filteredIsExact === false
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {isTooWide ? <span className="text-muted">Narrow the search to export it</span> : <ExportLink query={query} />}
      {/* A past day is read only. */}
      {query.asOf === undefined && (
        <Button size="small" disabled={!found?.orders.length} onClick={onSelect}>
          Select
        </Button>
      )}
    </div>
  )
}

/** A search is exported by a POST, since it may hold a buyer's e-mail, which must not stand in a URL. */
function ExportLink({ query }: { query: OrderQuery }) {
  const file = useAction(async () => downloadFound(query), 'Error')
  return query.search === undefined ? (
    <a className={buttonStyle({ size: 'small' })} href={exportPath(query)} download>
      Export CSV
    </a>
  ) : (
    <Button size="small" pending={file.isBusy && 'Exporting...'} onClick={file.run}>
      Export CSV
    </Button>
  )
}

function LoadMore({ shown, isLast, onMore }: { shown: string; isLast: boolean; onMore: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line px-3 py-2">
      {isLast ? (
        <p>The rest is found by searching.</p>
      ) : (
        <Button size="small" onClick={onMore}>
          Load more
        </Button>
      )}
      <p className="tabular-nums text-muted">{shown}</p>
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
  const [only] = Object.keys(options)
  if (all === undefined)
    return (
      <Check
        className="sm:px-1"
        checked={value === only}
        onChange={(event) => onChange(event.currentTarget.checked ? only : undefined)}
      >
        {label}
      </Check>
    )
  return (
    <Select
      label={label}
      isLabelHidden
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
  onDelete: () => void
}

function SelectionBar({ selection, query, onDelete }: SelectionBarProps) {
  const { orders, choose } = selection
  const isEnded = useRef(false)
  const [read, setRead] = useState(0)
  useEffect(() => {
    isEnded.current = false
    return () => void (isEnded.current = true)
  }, [])
  const selectAll = useAction(async () => {
    const all = await readAllOrders(query, (size) => {
      setRead(size)
      return !isEnded.current
    })
    const isCut = query.search !== undefined && !all.filteredIsExact && all.orders.length <= SEARCHED_MAX
    if (!isEnded.current) choose(all.orders, isCut)
  }, 'Error')
  return (
    <div role="group" aria-label="Selected orders" className="flex flex-wrap items-center gap-1.5">
      {/* It replaces the focused Select button. */}
      <Button
        size="small"
        autoFocus
        pending={selectAll.isBusy && `Selecting ${count(read)}...`}
        onClick={selectAll.run}
      >
        Select All
      </Button>
      <Button size="small" disabled={orders.size === 0} onClick={() => choose([])}>
        Deselect All
      </Button>
      <Button size="small" kind="danger" disabled={orders.size === 0} onClick={onDelete}>
        Delete ({count(orders.size)})
      </Button>
      <Button size="small" kind="quiet" onClick={selection.end}>
        Cancel
      </Button>
      <span role="status" className="tabular-nums px-1 text-muted">
        {selectedText(orders.values(), selection.isCut)}
      </span>
    </div>
  )
}

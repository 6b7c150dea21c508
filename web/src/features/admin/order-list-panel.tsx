import { Search, X } from 'lucide-react'
import { type ReactNode, startTransition, useEffect, useId, useOptimistic, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { exportOrders, type OrderQuery, PAGES_MAX, readAllOrders, useOrderList } from '../../api/admin.ts'
import { Button } from '../../components/ui/button.tsx'
import { inputStyle } from '../../components/ui/field.tsx'
import { Loaded, StaleNote } from '../../components/ui/loaded.tsx'
import { useAction } from '../../components/ui/use-action.ts'
import { count } from '../../lib/format.ts'
import { saveFile } from '../../lib/save-file.ts'
import type { OrderChosen } from './each-dialog.tsx'
import { type Asked, AskedDialog } from './order-actions.tsx'
import {
  addressWith,
  filterNames,
  filterRows,
  filtersFrom,
  isFiltered,
  listTitle,
  matching,
  pagesFrom,
  queryOf,
  selectedText,
  type OrderFilters,
  withoutFilters,
} from './order-list-filters.ts'
import { useHeldRows } from './held-rows.ts'
import { useKeptThroughLogin } from './kept-through-login.ts'
import { type OrderRows, OrderTable } from './order-table.tsx'
import { useAsOf } from './use-as-of.ts'

const TYPING_PAUSE_MS = 250

export function OrderListPanel() {
  const { address, filters, query, pages, change, clear } = useFilters()
  const answer = useOrderList(query, pages)
  const { data, error, isValidating } = answer
  const list = JSON.stringify([query, pages])
  const { chosen, chooseAgain, says, selectAll, choose, forget, held } = useChosen(filters, answer, list)
  const [asked, setAsked] = useState<Asked>()

  const rows: Omit<OrderRows, 'orders'> = {
    address: address.size === 0 ? '' : `?${address.toString()}`,
    onAsk: setAsked,
    chosen,
    onChoose: choose,
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
        <ListHead
          title={listTitle(data, filters)}
          note={data && <StaleNote error={error} />}
          isEmpty={data === undefined || data.orders.length === 0}
          query={query}
          onSelect={query.asOf === undefined ? () => chooseAgain(new Map()) : undefined}
        >
          {chosen && (
            <ChosenBar
              size={chosen.size}
              says={says}
              selectAll={selectAll}
              onDeselectAll={() => chooseAgain(new Map())}
              onDelete={() => setAsked({ to: 'delete', orders: [...chosen.values()], note: says })}
              onCancel={() => chooseAgain(undefined)}
              added={held.added}
              onShowAdded={held.showAdded}
            />
          )}
        </ListHead>
        <Loaded
          answer={answer}
          loading="Loading orders..."
          skeleton={<GreyRows />}
          failure="Failed to fetch orders"
          empty={data?.orders.length === 0 ? <Nothing isFiltered={isFiltered(filters)} onClear={clear} /> : undefined}
        >
          {({ hasMore, ...counted }) => (
            <div
              className="relative max-h-[60vh] overflow-auto"
              tabIndex={0}
              role="region"
              aria-label="Orders"
              aria-busy={isValidating}
            >
              <OrderTable {...rows} orders={held.rows} />
              {hasMore && (
                <LoadMore
                  shown={`${count(held.rows.length)} of ${matching(counted)} shown`}
                  onMore={pages < PAGES_MAX ? () => change({ pages: String(pages + 1) }) : undefined}
                />
              )}
            </div>
          )}
        </Loaded>
      </div>
      <AskedDialog asked={asked} onDeleted={forget} onClose={() => setAsked(undefined)} />
    </section>
  )
}

function useFilters() {
  const asOf = useAsOf()
  const [address, setAddress] = useSearchParams()
  // The URL updates in a transition; the controls show a change at once.
  const [filters, show] = useOptimistic(filtersFrom(address))
  const change = (changes: Record<string, string | undefined>) =>
    startTransition(() => {
      show(filtersFrom(addressWith(address, changes)))
      setAddress((now) => addressWith(now, changes), { replace: true })
    })
  const query = { ...queryOf(filters), asOf }
  return { address, filters, query, pages: pagesFrom(address), change, clear: () => change(withoutFilters) }
}

/** The ticked orders by id; undefined while none are being selected. */
function useChosen(filters: OrderFilters, { data, isLoading }: ReturnType<typeof useOrderList>, list: string) {
  const [chosen, setChosen] = useKeptThroughLogin<ReadonlyMap<string, OrderChosen> | undefined>('orders', undefined)
  // How many there are, where there were too many to select all.
  const [leftOutOf, setLeftOutOf] = useState<string>()
  const chooseAgain = (orders: typeof chosen, outOf?: string) => {
    setChosen(orders)
    setLeftOutOf(outOf)
  }
  const selectAll = useAction(async () => {
    const all = await readAllOrders(queryOf(filters))
    chooseAgain(new Map(all.orders.map((order) => [order.id, order])), all.hasMore ? matching(all) : undefined)
  }, 'Error')
  const choose = (order: OrderChosen, isChosen: boolean) => {
    setLeftOutOf(undefined)
    setChosen((now) => {
      const next = new Map(now)
      if (isChosen) next.set(order.id, order)
      else next.delete(order.id)
      return next
    })
  }
  const listed = data?.orders ?? []
  const held = useHeldRows(listed, { isHeld: chosen !== undefined && !isLoading, of: list })
  const forget = (deleted: readonly OrderChosen[]) => {
    const ids = new Set(deleted.map(({ id }) => id))
    held.drop(ids)
    setLeftOutOf(undefined)
    setChosen((now) => now && new Map([...now].filter(([id]) => !ids.has(id))))
  }
  const shown = held.rows.filter(({ id }) => chosen?.has(id)).length
  const says = selectedText({ size: chosen?.size ?? 0, shown, leftOutOf })
  return { chosen, chooseAgain, says, selectAll, choose, forget, held }
}

function FilterBar({
  filters,
  change,
}: {
  filters: OrderFilters
  change: (changes: Record<string, string | undefined>) => void
}) {
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

/** What is above the list: what to do with the chosen orders, or a button to choose some. */
function ListHead({
  title,
  note,
  isEmpty,
  query,
  onSelect,
  children,
}: {
  title: string
  note: ReactNode
  isEmpty: boolean
  query: OrderQuery
  /** Undefined: read only. */
  onSelect: (() => void) | undefined
  children: ReactNode
}) {
  const exporting = useAction(async () => saveFile(await exportOrders(query)), 'Nothing was saved')
  return (
    <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-3 py-1.5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h3 className="tabular text-base">
          <span role="status">{title}</span>
        </h3>
        {note}
      </div>
      {children ?? (
        <div className="flex gap-1.5">
          <Button size="small" pending={exporting.isBusy && 'Exporting...'} onClick={exporting.run}>
            Export CSV
          </Button>
          {onSelect && (
            <Button size="small" disabled={isEmpty} onClick={onSelect}>
              Select
            </Button>
          )}
        </div>
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

/** Debounced; sent at once on blur and on unmount, as when the session ends. */
function SearchBox({ value, onChange }: { value: string; onChange: (search: string) => void }) {
  const [typed, setTyped] = useState(value)
  const [sent, setSent] = useState(value)
  const box = useRef<HTMLInputElement>(null)
  // Back, Clear or a link may change the address from outside.
  if (value !== sent) {
    setSent(value)
    if (value.trim() !== typed.trim()) setTyped(value)
  }
  const send = (text: string) => {
    if (text === sent) return
    setSent(text)
    onChange(text)
  }
  const latest = useRef(() => undefined as void)
  useEffect(() => {
    latest.current = () => send(typed)
  })
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(
    () => () => {
      // On another tab the address is no longer this box's.
      if (window.location.pathname === '/admin/orders') latest.current()
    },
    [],
  )
  return (
    <div role="search" className="grid min-w-0 flex-1 basis-64 gap-1">
      <label htmlFor="order-search" className="font-medium">
        Search orders
      </label>
      <div className="relative">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-muted"
        />
        <input
          ref={box}
          id="order-search"
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={254}
          placeholder="Number, e-mail, Discord, market ID, Litecoin, 25.40, 31 Jan"
          className={`${inputStyle} min-h-9 pr-20 pl-9 text-ellipsis`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => send(typed)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') send(typed)
          }}
        />
        {typed !== '' && (
          <Button
            size="small"
            kind="quiet"
            className="absolute inset-y-0 right-0 px-2.5"
            onClick={() => {
              setTyped('')
              send('')
              box.current?.focus()
            }}
          >
            <X aria-hidden="true" />
            Clear
          </Button>
        )}
      </div>
    </div>
  )
}

/** A select, or a checkbox for a filter with one value. */
function Filter({
  row,
  value,
  onChange,
}: {
  row: { readonly label: string; readonly all?: string; readonly options: Readonly<Record<string, string>> }
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  const { label, all, options } = row
  const id = useId()
  if (all === undefined)
    return (
      <label className="flex min-h-9 items-center gap-2 sm:px-1">
        <input
          type="checkbox"
          className="size-4.5"
          checked={value === 'true'}
          onChange={(event) => onChange(event.currentTarget.checked ? 'true' : undefined)}
        />
        {label}
      </label>
    )
  return (
    <div className="grid min-w-0 gap-1 max-sm:flex-1 max-sm:basis-32">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select
        id={id}
        className="min-h-9 w-full rounded-control border border-edge bg-surface px-2.5 max-sm:px-1"
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
      >
        <option value="">{all}</option>
        {Object.entries(options).map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

function ChosenBar({
  size,
  says,
  selectAll,
  onDeselectAll,
  onDelete,
  onCancel,
  added,
  onShowAdded,
}: {
  size: number
  says: string
  selectAll: { readonly run: () => void; readonly isBusy: boolean }
  onDeselectAll: () => void
  onDelete: () => void
  onCancel: () => void
  /** How many orders are not shown, since the list is held still. */
  added: number
  onShowAdded: () => void
}) {
  const bar = useRef<HTMLDivElement>(null)
  // The Select button, which had the focus, has been replaced.
  useEffect(() => bar.current?.querySelector('button')?.focus(), [])
  return (
    <div ref={bar} role="group" aria-label="Selected orders" className="flex flex-wrap items-center gap-1.5">
      <Button size="small" pending={selectAll.isBusy && 'Selecting...'} onClick={selectAll.run}>
        Select All
      </Button>
      <Button size="small" disabled={size === 0} onClick={onDeselectAll}>
        Deselect All
      </Button>
      <Button size="small" kind="danger" disabled={size === 0} onClick={onDelete}>
        Delete ({count(size)})
      </Button>
      <Button size="small" kind="quiet" onClick={onCancel}>
        Cancel
      </Button>
      <span role="status" className="tabular px-1 text-muted">
        {says}
        {added > 0 && ` ${count(added)} new.`}
      </span>
      {added > 0 && (
        <Button size="small" onClick={onShowAdded}>
          Show new
        </Button>
      )}
    </div>
  )
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-14 text-center text-muted">
      <p role="status">{isFiltered ? 'No orders found matching your search' : 'No orders found'}</p>
      {isFiltered && (
        <Button size="small" onClick={onClear}>
          Show all orders
        </Button>
      )}
    </div>
  )
}

function GreyRows() {
  return (
    <div className="divide-y divide-line">
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className="flex h-10 animate-appear items-center px-3" aria-hidden="true">
          <span className="h-3.5 w-full animate-shimmer rounded-full bg-sunk" />
        </div>
      ))}
    </div>
  )
}

import type { Order } from '#contract/order.ts'
import { HandCoins } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { PAGES_MAX, useToDeliver } from '../../api/admin.ts'
import { shopNow } from '../../api/client.ts'
import { Button } from '../../components/ui/button.tsx'
import { LoadError, StaleNote } from '../../components/ui/loaded.tsx'
import { count } from '../../lib/format.ts'
import { useHeldRows } from './held-rows.ts'
import { useKeptThroughLogin } from './kept-through-login.ts'
import { type Asked, AskedDialog } from './order-actions.tsx'
import { type ToDeliverRows, ToDeliverTable } from './to-deliver-rows.tsx'
import { useAsOf } from './use-as-of.ts'
import { ageOf } from './words.ts'

const COUNTED_MAX = 10_000
const AGES_EVERY_MS = 30_000

/** Paid orders that staff are to deliver, the oldest first; with `endsAt`, those of a past day. Renders nothing without any. */
export function ToDeliverList({ isBrief, endsAt }: { isBrief: boolean; endsAt?: string }) {
  const [more, setMore] = useState(0)
  const { data, error, isValidating, mutate } = useToDeliver(more, useAsOf())
  const { ticked, setTicked, chosen, held } = useTicked(data?.orders ?? [], more)
  const [asked, setAsked] = useState<Asked>()
  const heading = useFocusAfter(asked !== undefined, data)
  const now = useShopNow(endsAt)
  if (data === undefined || (data.orders.length === 0 && error !== undefined)) {
    if (error === undefined) return null
    return <LoadError title="The orders to deliver could not be loaded" error={error} onRetry={mutate} />
  }

  const { orders, total, hasMore } = data
  const [oldest] = orders
  const rows: ToDeliverRows = {
    orders: held.rows,
    now,
    ticked: endsAt === undefined && orders.length > 1 ? ticked : undefined,
    onTick: ({ id }, isTicked) =>
      setTicked((ids) => new Set(isTicked ? [...ids, id] : [...ids].filter((other) => other !== id))),
    onAsk: setAsked,
  }
  return (
    <>
      {oldest !== undefined && (
        <section
          aria-labelledby="to-deliver-heading"
          className="overflow-hidden rounded-surface border border-edge bg-surface"
        >
          <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1.5 sm:px-4">
            <h2 ref={heading} tabIndex={-1} id="to-deliver-heading" className="flex items-center gap-2 text-base">
              <HandCoins aria-hidden="true" className="size-5" />
              {total === 1 ? '1 order' : `${count(total)}${total < COUNTED_MAX ? '' : '+'} orders`} to deliver
            </h2>
            {oldest.ready !== null && (
              <p className="tabular text-muted">
                {total === 1 ? 'waiting' : 'the oldest waiting'} for {ageOf(oldest.ready.since, now)}
              </p>
            )}
            {error !== undefined && <StaleNote error={error} />}
            <div className="ml-auto flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 max-sm:w-full max-sm:justify-between max-sm:empty:hidden">
              {isBrief ? (
                <Link className="link inline-flex min-h-6 items-center" to="/admin/orders" replace>
                  Show them
                </Link>
              ) : (
                rows.ticked !== undefined && (
                  <TickedOrders
                    chosen={chosen.length}
                    isAll={chosen.length === orders.length}
                    onAll={(isAll) => setTicked(new Set(isAll ? orders.map(({ id }) => id) : []))}
                    onDeliver={() => setAsked({ to: 'deliver', orders: chosen })}
                    added={held.added}
                    onShowAdded={held.showAdded}
                  />
                )
              )}
            </div>
          </div>
          {!isBrief && (
            <div
              className="relative max-h-[60vh] overflow-auto border-t border-line"
              tabIndex={0}
              role="region"
              aria-label="To deliver"
              aria-busy={isValidating}
            >
              <ToDeliverTable {...rows} />
              {hasMore && (
                <ShowMore shown={orders.length} onMore={more < PAGES_MAX ? () => setMore(more + 1) : undefined} />
              )}
            </div>
          )}
        </section>
      )}
      <AskedDialog asked={asked} onClose={() => setAsked(undefined)} />
    </>
  )
}

function useTicked(orders: readonly Order[], more: number) {
  const [ticked, setTicked] = useKeptThroughLogin<ReadonlySet<string>>('to-deliver', new Set())
  // A ticked order may have been marked by another member of staff.
  const chosen = orders.filter(({ id }) => ticked.has(id))
  const held = useHeldRows(orders, { isHeld: chosen.length > 0, of: String(more) })
  return { ticked, setTicked, chosen, held }
}

function TickedOrders({
  chosen,
  isAll,
  onAll,
  onDeliver,
  added,
  onShowAdded,
}: {
  chosen: number
  isAll: boolean
  onAll: (isAll: boolean) => void
  onDeliver: () => void
  /** How many orders are not shown, since the list is held still. */
  added: number
  onShowAdded: () => void
}) {
  return (
    <>
      <label className="flex min-h-9 items-center gap-2">
        <input
          type="checkbox"
          className="size-4.5"
          checked={isAll}
          onChange={(event) => onAll(event.currentTarget.checked)}
        />
        Select all shown
      </label>
      {chosen > 0 && (
        <Button size="small" kind="ink" onClick={onDeliver}>
          Mark delivered ({count(chosen)})
        </Button>
      )}
      <span role="status" className="tabular text-muted empty:hidden">
        {added > 0 && `${count(added)} new`}
      </span>
      {added > 0 && (
        <Button size="small" onClick={onShowAdded}>
          Show new
        </Button>
      )}
    </>
  )
}

function ShowMore({ shown, onMore }: { shown: number; onMore: (() => void) | undefined }) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-t border-line px-3 py-2 sm:px-4">
      {onMore !== undefined && (
        <Button size="small" onClick={onMore}>
          Show more
        </Button>
      )}
      <p className="tabular text-muted">The {count(shown)} oldest are shown</p>
    </div>
  )
}

function useShopNow(endsAt: string | undefined): number {
  const [now, setNow] = useState(shopNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(shopNow()), AGES_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return endsAt === undefined ? now : Date.parse(endsAt)
}

/** The pressed button disappears with its row, so the focus goes to the heading. */
function useFocusAfter(isAsked: boolean, data: unknown) {
  const heading = useRef<HTMLHeadingElement>(null)
  const wasAsked = useRef(false)
  useEffect(() => {
    if (isAsked) wasAsked.current = true
    else if (wasAsked.current && document.activeElement === document.body) {
      wasAsked.current = false
      heading.current?.focus({ preventScroll: true })
    }
  }, [isAsked, data])
  return heading
}

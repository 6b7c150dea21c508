import type { Order } from '#contract/order.ts'
import { useState } from 'react'
import { deleteOrder, refreshStaff } from '../../api/admin.ts'
import { isLoggedOut } from '../../api/staff-session.ts'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { InFours } from '../../components/ui/in-fours.tsx'
import { toast } from '../../components/ui/toast.ts'
import { count } from '../../lib/format.ts'
import { deleteEach, type Deletion } from './delete-each.ts'

export type OrderChosen = Pick<Order, 'id' | 'orderNumber'>

interface DeleteDialogProps {
  orders: readonly OrderChosen[]
  /** Those that are gone, also when others are not. */
  onDeleted: (orders: readonly OrderChosen[]) => void
  onClose: () => void
}

/** Asks once for all, then tells order by order what became of it. */
export function DeleteDialog({ orders, onDeleted, onClose }: DeleteDialogProps) {
  // What was asked about stays the same while the list behind it changes.
  const [chosen] = useState(orders)
  const [done, setDone] = useState<number>()
  const [left, setLeft] = useState<readonly Deletion<OrderChosen>[]>([])

  const deleteThem = async (these: readonly OrderChosen[], coinsGiven?: boolean) => {
    setDone(0)
    const results = await deleteEach(these, async ({ id }) => deleteOrder(id, coinsGiven), setDone)
    setDone(undefined)
    refreshStaff()
    if (isLoggedOut()) return
    const deleted = results.filter(({ is }) => is === 'deleted').map(({ of }) => of)
    const others = left.filter(({ of }) => !these.includes(of))
    const stillLeft = [...others, ...results.filter(({ is }) => is !== 'deleted')]
    setLeft(stillLeft)
    if (deleted.length > 0) onDeleted(deleted)
    if (deleted.length === these.length) {
      toast('Orders Deleted', `Successfully deleted ${count(deleted.length)} order(s)`)
      if (stillLeft.length === 0) onClose()
    } else toast('Delete Failed', failureText(results), { destructive: true })
  }

  const isPending = done !== undefined
  const pendingText =
    isPending && (chosen.length === 1 ? 'Deleting...' : `Deleting ${count(done)} of ${count(chosen.length)}...`)
  if (left.length > 0)
    return (
      <Dialog title="Not every order was deleted" onClose={onClose} width="2xl">
        <div className="grid gap-4 text-sm">
          <p role="status">
            {count(chosen.length - left.length)} deleted, {count(left.length)} not:
          </p>
          <ul className="divide-y divide-line rounded-surface border border-line bg-surface">
            {left.map((result) => (
              <li key={result.of.id} className="grid gap-2 px-4 py-3">
                <span className="flex flex-wrap items-baseline gap-x-3">
                  <strong>
                    <InFours text={result.of.orderNumber} />
                  </strong>
                  {result.is === 'failed' && result.message}
                  {result.is === 'coins-unknown' && 'It is not known whether its coins were given. Were they?'}
                </span>
                {result.is === 'coins-unknown' && (
                  <span className="flex flex-wrap gap-2">
                    <Button size="small" disabled={isPending} onClick={() => void deleteThem([result.of], true)}>
                      Given: delete<span className="sr-only"> order {result.of.orderNumber}</span>
                    </Button>
                    <Button size="small" disabled={isPending} onClick={() => void deleteThem([result.of], false)}>
                      Not given: delete, back to stock<span className="sr-only">, order {result.of.orderNumber}</span>
                    </Button>
                  </span>
                )}
              </li>
            ))}
          </ul>
          <div className="flex justify-end">
            <Button size="small" kind="ink" disabled={isPending} onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      </Dialog>
    )
  return (
    <Dialog
      title={chosen.length === 1 ? 'Delete this order?' : `Delete ${count(chosen.length)} orders?`}
      onClose={isPending ? ignore : onClose}
    >
      <div className="grid gap-5 text-sm">
        <p>
          Are you sure you want to delete {chosen.length} selected order(s)? This will also update revenue analytics.
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="small" disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button size="small" kind="danger" pending={pendingText} onClick={() => void deleteThem(chosen)}>
            Delete
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function ignore(): void {
  // Calls that are under way cannot be taken back; their results are waited for.
}

function failureText(results: readonly Deletion<OrderChosen>[]): string {
  const failed = results.filter(({ is }) => is !== 'deleted')
  const [first] = failed
  if (failed.length === 1 && first?.is === 'failed') return first.message
  return results.length === 1
    ? 'Failed to delete selected orders'
    : `Failed to delete selected orders: ${failed.length} of ${results.length}`
}

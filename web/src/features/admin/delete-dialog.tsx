import { useState } from 'react'
import { deleteOrder, refreshStaff } from '../../api/admin.ts'
import { isLoggedOut } from '../../api/staff-session.ts'
import { Button } from '../../components/ui/button.tsx'
import { toast } from '../../components/ui/toast.ts'
import { count } from '../../lib/format.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { deleteEach, type Deletion } from './delete-each.ts'
import type { OrderChosen } from './order-actions.ts'
import { ReportDialog } from './report-dialog.tsx'

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
  if (left.length > 0)
    return (
      <ReportDialog
        title="Not every order was deleted"
        summary={`${count(chosen.length - left.length)} deleted, ${count(left.length)} not:`}
        rows={left.map((result) => ({
          order: result.of,
          text: result.is === 'failed' ? result.message : 'Its coins may have been given. Were they?',
          choices: result.is === 'coins-unknown' && (
            <>
              <Button size="small" disabled={isPending} onClick={() => void deleteThem([result.of], true)}>
                Given: delete<span className="sr-only"> order {result.of.orderNumber}</span>
              </Button>
              <Button size="small" disabled={isPending} onClick={() => void deleteThem([result.of], false)}>
                Not given: delete, back to stock<span className="sr-only">, order {result.of.orderNumber}</span>
              </Button>
            </>
          ),
        }))}
        isPending={isPending}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      title={chosen.length === 1 ? 'Delete this order?' : `Delete ${count(chosen.length)} orders?`}
      action="Delete"
      kind="danger"
      pending={
        isPending && (chosen.length === 1 ? 'Deleting...' : `Deleting ${count(done)} of ${count(chosen.length)}...`)
      }
      onConfirm={() => void deleteThem(chosen)}
      onClose={onClose}
    >
      <p>Are you sure you want to delete {chosen.length} selected order(s)? This will also update revenue analytics.</p>
    </ConfirmDialog>
  )
}

function failureText(results: readonly Deletion<OrderChosen>[]): string {
  const failed = results.filter(({ is }) => is !== 'deleted')
  const [first] = failed
  if (failed.length === 1 && first?.is === 'failed') return first.message
  return results.length === 1
    ? 'Failed to delete selected orders'
    : `Failed to delete selected orders: ${failed.length} of ${results.length}`
}

import type { Order } from '#contract/order.ts'
import { useState } from 'react'
import { markDelivered, refreshStaff } from '../../api/admin.ts'
import { sayError } from '../../api/client.ts'
import { isLoggedOut } from '../../api/staff-session.ts'
import { toast } from '../../components/ui/toast.ts'
import { count } from '../../lib/format.ts'
import { callEach, type Called } from './call-each.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { OrdersNamed } from './orders-named.tsx'
import { ReportDialog } from './report-dialog.tsx'

type Failure = Extract<Called<Order>, { is: 'failed' }>

/** Asks once for all whether their coins were given, then tells order by order what could not be marked. */
export function DeliverDialog({ orders, onClose }: { orders: readonly Order[]; onClose: () => void }) {
  // What was asked about stays the same while the list behind it changes.
  const [chosen] = useState(orders)
  const [done, setDone] = useState<number>()
  const [failed, setFailed] = useState<readonly Failure[]>([])
  const [first] = chosen
  const isOne = chosen.length === 1

  const mark = async () => {
    setDone(0)
    const results = await callEach(chosen, async ({ id }) => markDelivered(id), setDone)
    setDone(undefined)
    refreshStaff()
    if (isLoggedOut()) return
    const failures = results.filter((result) => result.is === 'failed')
    setFailed(failures)
    if (failures.length > 0) return
    const what = isOne ? `Order ${first?.orderNumber} was` : `${count(chosen.length)} orders were`
    toast('Marked delivered', `${what} marked as delivered.`)
    onClose()
  }

  if (failed.length > 0)
    return (
      <ReportDialog
        title={isOne ? 'The order was not marked' : 'Not every order was marked'}
        summary={`${count(chosen.length - failed.length)} marked as delivered, ${count(failed.length)} not:`}
        rows={failed.map(({ of, error }) => ({ order: of, text: sayError(error) }))}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      title={isOne ? 'Mark this order delivered?' : `Mark ${count(chosen.length)} orders delivered?`}
      action="Mark delivered"
      kind="primary"
      pending={done !== undefined && (isOne ? 'Marking...' : `Marking ${count(done)} of ${count(chosen.length)}...`)}
      onConfirm={() => void mark()}
      onClose={onClose}
    >
      <OrdersNamed orders={chosen} />
      <p>
        {isOne
          ? 'Its buyer is told that the coins were delivered.'
          : 'Their buyers are told that the coins were delivered.'}{' '}
        There is no way back.
      </p>
    </ConfirmDialog>
  )
}

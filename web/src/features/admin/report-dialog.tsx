import type { ReactNode } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { InFours } from '../../components/ui/in-fours.tsx'
import type { OrderChosen } from './order-actions.ts'

interface ReportDialogProps {
  title: string
  summary: string
  rows: readonly { readonly order: OrderChosen; readonly text: string; readonly choices?: ReactNode }[]
  isPending?: boolean
  onClose: () => void
}

/** Tells order by order what could not be done. */
export function ReportDialog({ title, summary, rows, isPending = false, onClose }: ReportDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} width="2xl">
      <div className="grid gap-4 text-sm">
        <p role="status">{summary}</p>
        <ul className="divide-y divide-line rounded-surface border border-line bg-surface">
          {rows.map(({ order, text, choices }) => (
            <li key={order.id} className="grid gap-2 px-4 py-3">
              <span className="flex flex-wrap items-baseline gap-x-3">
                <strong>
                  <InFours text={order.orderNumber} />
                </strong>
                {text}
              </span>
              {choices !== undefined && choices !== false && <span className="flex flex-wrap gap-2">{choices}</span>}
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
}

import type { ReactNode } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'

interface ConfirmDialogProps {
  title: string
  action: string
  kind: 'primary' | 'danger'
  /** Calls that are under way cannot be taken back: until they have ended, nothing can be pressed. */
  pending: string | false
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks once before something that cannot be undone. */
export function ConfirmDialog({ title, action, kind, pending, onConfirm, onClose, children }: ConfirmDialogProps) {
  const isPending = pending !== false
  return (
    <Dialog title={title} onClose={isPending ? ignore : onClose}>
      <div className="grid gap-5 text-sm">
        {children}
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="small" disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button size="small" kind={kind} pending={pending} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function ignore(): void {
  // The results of what is under way are waited for.
}

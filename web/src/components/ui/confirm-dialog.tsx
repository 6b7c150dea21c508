import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  title: string
  action: string
  kind: 'primary' | 'plain' | 'danger'
  /** Staff dialogs use small buttons. */
  size?: ButtonProps['size']
  /** The text of the button that closes the dialog. */
  keep?: string
  /** Calls in progress cannot be cancelled, so the dialog cannot be closed until they end. */
  pending: string | false
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, kind, size = 'small', keep = 'Cancel', pending, onConfirm, onClose, children } = props
  const isPending = pending !== false
  return (
    <Dialog title={title} onClose={() => !isPending && onClose()}>
      <div className={`grid gap-5 ${size === 'small' ? 'text-sm' : ''}`}>
        {children}
        <div className="flex flex-wrap justify-end gap-2">
          <Button size={size} disabled={isPending} onClick={onClose}>
            {keep}
          </Button>
          <Button size={size} kind={kind} pending={pending} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

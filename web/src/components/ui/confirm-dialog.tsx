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
  /** Undefined if there is nothing left to do. */
  onConfirm: (() => void) | undefined
  /** Begins no more calls. */
  onStop?: (() => void) | undefined
  onClose: () => void
  children: ReactNode
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, kind, size = 'small', keep = 'Cancel', pending, onConfirm, onStop, onClose, children } = props
  const isPending = pending !== false
  const canStop = isPending && onStop !== undefined
  return (
    <Dialog title={title} onClose={() => !isPending && onClose()}>
      <div className={`grid gap-5 ${size === 'small' ? 'text-sm' : ''}`}>
        {children}
        <div className="flex flex-wrap justify-end gap-2">
          <Button size={size} disabled={isPending && !canStop} onClick={canStop ? onStop : onClose}>
            {canStop ? 'Stop' : keep}
          </Button>
          {onConfirm && (
            <Button size={size} kind={kind} pending={pending} onClick={onConfirm}>
              {action}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  )
}

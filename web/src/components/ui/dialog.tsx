import X from 'lucide:x'
import type { ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { Toaster } from './toaster.tsx'

interface DialogProps {
  title: string
  description?: string
  onClose: () => void
  /** Maximum width. */
  width?: keyof typeof widths
  children: ReactNode
}

const widths = { md: 'max-w-md', '6xl': 'max-w-6xl' }

/** The browser's modal dialog, open while mounted. It traps the focus and returns it on close. */
export function Dialog({ title, description, onClose, width = 'md', children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    element?.showModal()
    return () => {
      element?.close()
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description === undefined ? undefined : `${id}-description`}
      className={`m-auto max-h-[90vh] w-[calc(100%---spacing(8))] ${widths[width]} overflow-y-auto rounded-surface border border-edge bg-paper p-0 text-inherit backdrop:bg-black/60`}
      // Events of an inner dialog bubble here, and one Escape may close both.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (innerOf(event.currentTarget) === null) onClose()
      }}
      // A second Escape closes it despite preventDefault. Reopen it: its owner decides whether it closes.
      onClose={({ target, currentTarget }) => {
        if (target !== currentTarget || currentTarget.open) return
        currentTarget.showModal()
        const inner = innerOf(currentTarget)
        if (inner === null) return onClose()
        // Puts the inner dialog back on top.
        inner.close()
        inner.showModal()
      }}
    >
      <div className="sticky top-0 z-10 flex items-start justify-between gap-4 border-b border-line bg-paper px-5 py-4">
        <div className="min-w-0">
          <h2 id={`${id}-title`} className="text-xl">
            {title}
          </h2>
          {description !== undefined && (
            <p id={`${id}-description`} className="text-sm text-muted">
              {description}
            </p>
          )}
        </div>
        <button
          type="button"
          className="-m-1 grid size-11 flex-none place-items-center rounded-control hover:bg-sunk"
          onClick={onClose}
        >
          <X className="size-5" />
          <span className="sr-only">Close</span>
        </button>
      </div>
      <div className="px-5 py-5">{children}</div>
      <Toaster place="dialog" />
    </dialog>
  )
}

function innerOf(dialog: HTMLDialogElement): HTMLDialogElement | null {
  return dialog.querySelector<HTMLDialogElement>('dialog[open]')
}

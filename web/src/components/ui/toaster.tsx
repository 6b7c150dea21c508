import X from 'lucide:x'
import { type PointerEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { store } from '../../lib/store.ts'
import { dismissToast, type Toast, useToast } from './use-action.ts'
import { Button } from './button.tsx'

const SWIPE_PX = 50
const DURATION_MS = 5_000
const UNDO_MS = 10_000

/** All mounted toasters. A modal dialog makes the page inert, so each dialog has its own; only the newest shows. */
const outlets = store<readonly object[]>([])

/** Positions where a toast covers no control, on phones and on larger screens. */
const places = {
  shop: 'top-16 sm:top-auto sm:bottom-0 sm:justify-end',
  staff: 'bottom-0 sm:top-0 sm:bottom-auto sm:justify-start sm:p-1!',
  dialog: 'top-28 sm:top-0',
}

export function Toaster({ place }: { place: keyof typeof places }) {
  const [me] = useState(() => ({}))
  const isMine = useSyncExternalStore(
    outlets.subscribe,
    () => outlets.get().at(-1) === me,
    () => false,
  )
  const region = useRef<HTMLElement>(null)
  const shown = useToast()

  useEffect(() => {
    outlets.set([...outlets.get(), me])
    return () => outlets.set(outlets.get().filter((one) => one !== me))
  }, [me])

  useEffect(() => {
    if (!isMine) return undefined
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'F8') region.current?.focus()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isMine])

  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label="Notifications (F8)"
      hidden={!isMine}
      className={`pointer-events-none fixed inset-x-0 z-50 flex justify-center p-3 sm:p-4 ${places[place]}`}
    >
      <div
        role="status"
        aria-live={shown?.destructive === true ? 'assertive' : 'polite'}
        aria-atomic="true"
        className="w-full max-w-sm"
      >
        {isMine && shown !== undefined && <ToastCard key={shown.id} toast={shown} />}
      </div>
    </section>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id, undo } = toast
  const durationMs = undo === undefined ? DURATION_MS : UNDO_MS
  const [isHeld, setHeld] = useState(false)
  const [pulled, setPulled] = useState(0)
  const from = useRef<number | undefined>(undefined)

  useEffect(() => {
    const onBlur = () => setHeld(true)
    const onFocus = () => setHeld(false)
    window.addEventListener('blur', onBlur)
    window.addEventListener('focus', onFocus)
    return () => {
      window.removeEventListener('blur', onBlur)
      window.removeEventListener('focus', onFocus)
    }
  }, [])

  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => dismissToast(id), durationMs)
    return () => clearTimeout(timer)
  }, [id, isHeld, durationMs])

  const release = ({ clientX }: PointerEvent) => {
    if (from.current !== undefined && clientX - from.current >= SWIPE_PX) dismissToast(id)
    from.current = undefined
    setPulled(0)
  }

  return (
    <div
      className={`pointer-events-auto flex touch-pan-y animate-rise [--enter-from:8px] items-start gap-3 rounded-surface border-2 bg-surface p-4 shadow-lg ${
        toast.destructive ? 'border-red' : 'border-ink'
      }`}
      style={{ transform: pulled > 0 ? `translateX(${pulled}px)` : undefined }}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        dismissToast(id)
      }}
      onPointerDown={(event: PointerEvent) => (from.current = event.clientX)}
      onPointerMove={(event) => {
        if (from.current !== undefined) setPulled(Math.max(0, event.clientX - from.current))
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerLeave={release}
    >
      <div className="min-w-0 flex-1">
        <p className={`font-semibold ${toast.destructive ? 'text-red' : ''}`}>{toast.title}</p>
        {toast.text !== undefined && <p className="text-sm">{toast.text}</p>}
      </div>
      {undo !== undefined && (
        <Button
          size="small"
          onClick={() => {
            dismissToast(id)
            undo.run()
          }}
        >
          Undo<span className="sr-only"> ({undo.what})</span>
        </Button>
      )}
      <button
        type="button"
        className="-m-2.5 grid size-11 flex-none place-items-center rounded-control hover:bg-sunk"
        onClick={() => dismissToast(id)}
      >
        <X className="size-5" />
        <span className="sr-only">Close notification</span>
      </button>
    </div>
  )
}

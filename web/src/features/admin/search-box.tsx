import { Search, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { inputStyle } from '../../components/ui/field.tsx'

const TYPING_PAUSE_MS = 250

/** Sent after a pause of typing, on Enter and on blur, and where it is unmounted before, as when the session ends. */
export function SearchBox({ value, onChange }: { value: string; onChange: (search: string) => void }) {
  const box = useRef<HTMLInputElement>(null)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const send = () => {
    clearTimeout(timer.current)
    const text = box.current?.value ?? ''
    if (text === sent.current) return
    sent.current = text
    onChange(text)
  }
  const latest = useRef(send)
  useLayoutEffect(() => {
    latest.current = send
  })
  useLayoutEffect(
    () => () => {
      // On another tab the address is no longer this box's.
      if (window.location.pathname === '/admin/orders') latest.current()
    },
    [],
  )
  // Back, or a link, may change the address from outside.
  useEffect(() => {
    if (box.current === null || value.trim() === sent.current.trim()) return
    sent.current = value
    box.current.value = value
  }, [value])
  return (
    <div role="search" className="grid min-w-0 flex-1 basis-64 gap-1">
      <label htmlFor="order-search" className="font-semibold">
        Search orders
      </label>
      <div className="relative">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-muted"
        />
        <input
          ref={box}
          id="order-search"
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={254}
          placeholder="Number, e-mail, Discord, market ID, Litecoin, 25.40, 31 Jan"
          className={`peer ${inputStyle} min-h-9 pr-20 pl-9 text-ellipsis`}
          defaultValue={value}
          onChange={() => {
            clearTimeout(timer.current)
            timer.current = setTimeout(() => latest.current(), TYPING_PAUSE_MS)
          }}
          onBlur={send}
          onKeyDown={(event) => {
            if (event.key === 'Enter') send()
          }}
        />
        <Button
          size="small"
          kind="quiet"
          className="absolute inset-y-0 right-0 px-2.5 peer-placeholder-shown:hidden"
          onClick={() => {
            if (box.current === null) return
            box.current.value = ''
            box.current.focus()
            send()
          }}
        >
          <X aria-hidden="true" />
          Clear
        </Button>
      </div>
    </div>
  )
}

import { buyerTextNames, buyerTexts } from '#contract/buyer.ts'
import Search from 'lucide:search'
import X from 'lucide:x'
import { useEffect, useRef } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { inputStyle } from '../../../components/ui/field.tsx'
import { SEARCH_MAX } from './order-list-filters.ts'

const TYPING_PAUSE_MS = 250
const searchedTexts = buyerTextNames.filter((name) => buyerTexts[name].isSearched).map((name) => buyerTexts[name].label)

/** Searches after a pause in typing, on Enter and on blur. */
export function SearchBox({ value, onChange }: { value: string; onChange: (search: string) => void }) {
  const box = useRef<HTMLInputElement>(null)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const send = () => {
    clearTimeout(timer.current)
    if (box.current === null || box.current.value === sent.current) return
    sent.current = box.current.value
    onChange(sent.current)
  }
  // The Back button or a link may change the search in the URL.
  useEffect(() => {
    if (box.current === null || value.trim() === sent.current.trim()) return
    sent.current = value
    box.current.value = value
  }, [value])
  return (
    <div role="search" className="min-w-0 flex-1 basis-44 sm:basis-64">
      <div className="relative">
        <Search className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-muted" />
        <input
          ref={box}
          aria-label="Search orders"
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={SEARCH_MAX}
          placeholder={`Search orders: number, ${searchedTexts.join(', ')}, market ID, Litecoin, 25.40, 31 Jan`}
          className={`peer ${inputStyle} min-h-9 pr-20 pl-9 text-ellipsis`}
          defaultValue={value}
          onChange={() => {
            clearTimeout(timer.current)
            timer.current = setTimeout(send, TYPING_PAUSE_MS)
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
          <X />
          Clear
        </Button>
      </div>
    </div>
  )
}

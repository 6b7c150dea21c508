import { type FormEvent, useEffect, useRef } from 'react'
import { shopNow } from '../../../api/client.ts'
import { useShop } from '../../../api/shop.ts'
import { Button } from '../../../components/ui/button.tsx'
import { lastEndedDay, useAddress } from './use-as-of.ts'

const AS_OF_FIELD = 'as-of-day'
let takesFocus = false

/** Focuses the field once the present is shown. */
export function focusAsOfField(): void {
  takesFocus = true
}

/** Chooses the past day that Dashboard and Orders show. */
export function AsOfField({ asOf = '' }: { asOf: string | undefined }) {
  const { change } = useAddress()
  const timeZone = useShop()?.timeZone
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (takesFocus) field.current?.focus()
    takesFocus = false
  }, [])
  // The Back button or a link may change the day in the URL.
  useEffect(() => {
    if (field.current !== null) field.current.value = asOf
  }, [asOf])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = field.current?.value ?? ''
    if (typed === '') field.current?.focus()
    else change({ asOf: typed })
  }
  return (
    <form noValidate className="group flex flex-wrap items-center gap-2 max-xl:ml-auto xl:order-last" onSubmit={submit}>
      <label htmlFor={AS_OF_FIELD} className="text-muted max-sm:sr-only">
        As of <span className="max-2xl:sr-only">the end of</span>
      </label>
      <input
        ref={field}
        id={AS_OF_FIELD}
        type="date"
        max={timeZone === undefined ? undefined : lastEndedDay(shopNow(), timeZone)}
        className="min-h-9 min-w-0 rounded-control border border-edge bg-surface px-2"
        defaultValue={asOf}
      />
      {/* On phones only while the field is used: the two share a line with the heading. */}
      <Button size="small" type="submit" className="max-sm:hidden max-sm:group-focus-within:inline-flex">
        Show
      </Button>
    </form>
  )
}

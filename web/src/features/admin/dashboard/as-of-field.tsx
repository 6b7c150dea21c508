import { type FormEvent, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { shopNow } from '../../../api/client.ts'
import { useShop } from '../../../api/shop.ts'
import { Button } from '../../../components/ui/button.tsx'
import { addressWith, lastEndedDay } from '../shared/use-as-of.ts'

export const AS_OF_FIELD = 'as-of-day'

/** Chooses the past day that Dashboard and Orders show. */
export function AsOfField({ asOf = '' }: { asOf: string | undefined }) {
  const [, setAddress] = useSearchParams()
  const timeZone = useShop()?.timeZone
  const field = useRef<HTMLInputElement>(null)
  // The Back button or a link may change the day in the URL.
  useEffect(() => {
    if (field.current !== null) field.current.value = asOf
  }, [asOf])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = field.current?.value ?? ''
    if (typed === '') field.current?.focus()
    else setAddress((now) => addressWith(now, { asOf: typed }), { replace: true })
  }
  return (
    <form noValidate className="flex flex-wrap items-center gap-2 pb-1.5" onSubmit={submit}>
      <label htmlFor={AS_OF_FIELD} className="font-medium">
        As of the end of
      </label>
      <span className="flex min-w-0 flex-wrap gap-2">
        <input
          ref={field}
          id={AS_OF_FIELD}
          type="date"
          max={timeZone === undefined ? undefined : lastEndedDay(shopNow(), timeZone)}
          className="min-h-9 max-w-full min-w-0 rounded-control border border-edge bg-surface px-2.5"
          defaultValue={asOf}
        />
        <Button size="small" type="submit">
          Show
        </Button>
      </span>
    </form>
  )
}

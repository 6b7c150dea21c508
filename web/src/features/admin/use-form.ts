import type { SyntheticEvent } from 'react'
import { useRef, useState } from 'react'
import { useAction } from '../../components/ui/use-action.ts'

type Texts<Name extends string> = Readonly<Record<Name, string>>
/** What is wrong, by the name of the field. */
export type Problems = Readonly<Record<string, string>>

interface FormAction<Name extends string> {
  readonly check?: (typed: Texts<Name>) => Problems
  readonly act: (typed: Texts<Name>) => Promise<void>
  /** Answers what the shop found wrong with the fields. */
  readonly onFailure: (error: unknown) => Problems
}

/** A form that is read when it is sent. The first field that is wrong takes the focus. */
export function useForm<Name extends string>({ check, act, onFailure }: FormAction<Name>) {
  const [problems, setProblems] = useState<Problems>({})
  const ref = useRef<HTMLFormElement>(null)
  const show = (found: Problems) => {
    setProblems(found)
    const [first] = Object.keys(found)
    if (first !== undefined) ref.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    return first === undefined
  }
  const send = useAction(
    async () => {
      const typed = Object.fromEntries(new FormData(ref.current ?? undefined)) as Texts<Name>
      if (show(check?.(typed) ?? {})) await act(typed)
    },
    (error) => show(onFailure(error)),
  )
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    send.run()
  }
  return { form: { ref, onSubmit }, problems, isBusy: send.isBusy }
}

import type { SyntheticEvent } from 'react'
import { useRef, useState } from 'react'
import { ApiError, sayError } from '../../api/client.ts'
import { toast } from './toast.ts'
import { useAction } from './use-action.ts'

type Texts<Name extends string> = Readonly<Record<Name, string>>
/** Problems by field name. */
export type Problems = Readonly<Record<string, string>>

interface FormAction<Name extends string> {
  readonly check?: (typed: Texts<Name>) => Problems
  readonly act: (typed: Texts<Name>) => Promise<void>
  /** The field that each refusal code is about. */
  readonly fields?: Readonly<Record<string, Name>>
  /** The title of the toast about any other failure. */
  readonly failure: string
  /** The text of every failure's toast; no field is then marked. */
  readonly say?: (error: unknown) => string
}

/** A form whose fields are read on submit. The first wrong field gets the focus. */
export function useForm<Name extends string>({ check, act, fields, failure, say }: FormAction<Name>) {
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
    (error) => {
      const found = Object.entries(problemsIn(error, fields)).filter(([name]) => ref.current?.elements.namedItem(name))
      const isAboutFields = say === undefined && !show(Object.fromEntries(found))
      if (!isAboutFields) toast(failure, (say ?? sayError)(error), { destructive: true })
    },
  )
  const onSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    send.run()
  }
  return { form: { ref, onSubmit }, problems, isBusy: send.isBusy }
}

function problemsIn(error: unknown, fields: Readonly<Record<string, string>> = {}): Problems {
  if (!(error instanceof ApiError)) return {}
  const field = fields[error.code]
  if (field !== undefined) return { [field]: error.say }
  return Object.fromEntries((error.problem.errors ?? []).map(({ path, message }) => [path, message]))
}

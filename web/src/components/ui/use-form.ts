import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { ApiError, sayError } from '../../api/client.ts'
import { toast, useAction } from './use-action.ts'

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
  /** Where typed text is kept while the form may be cut off, and what was kept. */
  readonly unsent?: readonly [typed: Texts<Name> | undefined, keep: (typed: Texts<Name> | undefined) => void]
  /** The text of every failure's toast; no field is then marked. */
  readonly say?: (error: unknown) => string
}

/** A form whose fields are read on submit. The first wrong field gets the focus. */
export function useForm<Name extends string>({ check, act, fields, failure, say, unsent }: FormAction<Name>) {
  const [kept, keep] = unsent ?? []
  const [problems, setProblems] = useState<Problems>({})
  const ref = useRef<HTMLFormElement>(null)
  const show = (found: Problems) => {
    setProblems(found)
    const [first] = Object.keys(found)
    if (first !== undefined) ref.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
    return first === undefined
  }
  const typedNow = () => Object.fromEntries(new FormData(ref.current ?? undefined)) as Texts<Name>
  const first = useRef(kept)
  useEffect(() => {
    if (first.current !== undefined) fill(ref.current?.elements, first.current)
  }, [])
  const send = useAction(
    async () => {
      const typed = typedNow()
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
  const onInput = keep ? () => keep(typedNow()) : undefined
  return { form: { ref, onSubmit, ...(onInput && { onInput }) }, problems, isBusy: send.isBusy }
}

function fill(elements: HTMLFormControlsCollection | undefined, typed: Texts<string>): void {
  for (const element of elements ?? []) {
    if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio'))
      element.checked = typed[element.name] === element.value
    else if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement)
      element.value = typed[element.name] ?? element.value
  }
}

function problemsIn(error: unknown, fields: Readonly<Record<string, string>> = {}): Problems {
  if (!(error instanceof ApiError)) return {}
  const field = fields[error.code]
  if (field !== undefined) return { [field]: error.say }
  return Object.fromEntries((error.problem.errors ?? []).map(({ path, message }) => [path, message]))
}
